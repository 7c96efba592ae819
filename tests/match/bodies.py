"""The stored body of every type of event, in most cases with all its fields."""

BODIES = [
    b'{"draws":{"ann":"red-1","bo":"wild"},"type":"dealer_drawn"}',
    b'{"dealer":"ann","draw_pile":["red-2"],"hands":{"ann":["red-1"]},"type":"round_started"}',
    b'{"type":"round_started"}',
    (
        b'{"as_played":true,"charges":{"bo":5},"hands":{"ann":{"cards":[]},"bo":{"cards_left":2,'
        b'"points":9},"cy":{"cards":["red-1"]}},"type":"round_tallied","winners":["ann"]}'
    ),
    b'{"dealer":"bo","scores":{"ann":0,"bo":-9},"type":"round_tallied","winners":["ann"]}',
    b'{"reason":"misdeal","redealt":true,"type":"round_voided"}',
    b'{"players":["bo","ann"],"type":"seats_changed"}',
    b'{"player":"ann","substitute":"eve","type":"player_substituted"}',
    b'{"type":"match_closed"}',
    b'{"reason":"late","type":"match_abandoned"}',
    b'{"at":"2026-11-20T11:00:00.000001Z","text":"\xe8\xb2\x93","type":"note_added"}',
    (
        b'{"hand_points":{"ann":0,"bo":null},"round":1,"scores":{"ann":5,"bo":0},'
        b'"type":"round_ended","winners":["ann"]}'
    ),
    b'{"card":"wild","color":"red","draw_pile":["red-1"],"type":"first_card_turned"}',
    b'{"color":"red","player":"bo","type":"color_named"}',
    (
        b'{"as_played":true,"card":"question-block","color":"green","effects":[{"cards":["red-1"],'
        b'"player":"bo","type":"discard"},{"count":1,"from":"bo","to":"cy","type":"give"},'
        b'{"count":3,"player":"di","type":"draw"},{"hands":{"ann":"bo","bo":"ann"},"type":"swap"},'
        b'{"player":"cy","type":"skip"},{"type":"reverse"}],"player":"bo","type":"card_played",'
        b'"uno":false}'
    ),
    b'{"cards":["red-1"],"count":2,"player":"cy","type":"cards_drawn"}',
    b'{"card":"red-1","player":"ann","to":"bo","type":"card_given"}',
    b'{"player":"cy","type":"turn_passed"}',
    b'{"player":"cy","type":"uno_called"}',
    b'{"by":"bo","player":"cy","points":7,"type":"uno_caught"}',
    b'{"by":"bo","guilty":true,"hand":["red-1"],"points":1,"type":"wild_draw_four_challenged"}',
    b'{"by":"bo","type":"misplay_called"}',
    b'{"by":"bo","player":"cy","type":"advice_called"}',
    b'{"by":"bo","player":"cy","type":"accusation_made"}',
    b'{"draw_pile":["red-1"],"type":"pile_reshuffled"}',
    b'{"cards":["red-1"],"player":"cy","type":"hand_shown"}',
    b'{"cards_left":2,"player":"cy","points":9,"type":"hand_counted"}',
    (
        b'{"dispute":9,"from":5,"insert":[{"count":1,"player":"cy","type":"cards_drawn"},'
        b'{"as_played":true,"player":"cy","type":"turn_passed"}],"reason":"forgotten","remove":2,'
        b'"type":"log_amended","withdraws":[4]}'
    ),
    b'{"insert":[],"reason":"as it was","remove":0,"type":"log_amended","withdraws":[6]}',
    b'{"from":5,"insert":[],"reason":"taken back","remove":1,"type":"log_amended","undo":true}',
    b'{"by":"bo","claim":"forgotten","entry":5,"round":1,"type":"dispute_opened"}',
    (
        b'{"by":"bo","claim":"never","entry":{"amendment":6,"index":0},"round":1,'
        b'"type":"dispute_opened"}'
    ),
    b'{"dispute":9,"reason":"seen by all","ruling":"upheld","type":"dispute_ruled"}',
    b'{"totals":{"ann":500,"bo":0},"type":"match_won","winners":["ann"]}',
    (
        b'{"edition":"basic","players":["ann","bo"],"revision":1,"scoring":{"target":null},'
        b'"type":"match_opened"}'
    ),
]
