// @ts-check
/** Where a tab keeps what somebody answered to "Whose phone is this?" until there is a league. */
export const NAME_KEY = "whose-phone";
