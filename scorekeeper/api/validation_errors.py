"""Why a body or a query string does not fit its operation: where, and what would be accepted.

In a body msgspec finds the place, and the types say what is accepted there.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import date, datetime
from functools import cache
from types import NoneType
from typing import Annotated, Any, Final, TypeGuard, cast, get_args

import msgspec
from litestar.handlers.base import BaseRouteHandler
from litestar.params import QueryParameter
from litestar.typing import FieldDefinition
from msgspec import Meta, Struct, inspect
from msgspec.structs import replace

from scorekeeper.match.events.fields import EVENT_ID, MOST_IN_SLUG, SLUG
from scorekeeper.service.refused import Refused
from scorekeeper.service.slugs import in_slug, near
from scorekeeper.texts.message import wording

_STEP: Final = re.compile(r"\.([^.\[\]]+)|\[(\d+|\.\.\.)\]")
_SOME_KEY: Final = "..."
_KINDS: Final[Mapping[type[inspect.Type], str]] = {
    inspect.StrType: "a text",
    inspect.LiteralType: "a text",
    inspect.DateTimeType: "a text",
    inspect.DateType: "a text",
    inspect.IntType: "a whole number",
    inspect.BoolType: "true or false",
    inspect.ListType: "a list",
    inspect.VarTupleType: "a list",
    inspect.DictType: "an object",
    inspect.StructType: "an object",
    inspect.NoneType: "null",
}

_WHOLE_NUMBER: Final = re.compile("-?(?:0|[1-9][0-9]{0,16})")


class FieldError(Struct, frozen=True):
    """A field or parameter that can't be read. `at` is a path such as `$.events[3].card`.

    `among` and `beside` are for suggesting a name in place of one that is no slug. `among`: the
    names that it has to be one of, such as the players of the opening; None if it may be any.
    `beside`: names that it can't be, since they stand in the same list or have a seat.
    """

    at: str
    reason: str
    facts: Mapping[str, object]
    among: frozenset[str] | None = None
    beside: frozenset[str] = frozenset()

    @property
    def wording(self) -> str:
        return wording("malformed", self.reason, self.facts)


def field_error(reason: str, at: str, **facts: object) -> FieldError:
    """Return a FieldError. Its facts name the place without `$.`, unless it is the whole body."""
    shown = at.removeprefix("$").removeprefix(".")
    return FieldError(at, reason, {"at": shown, **facts} if shown else facts)


def not_a_choice(at: str, value: object, allowed: Sequence[object]) -> FieldError:
    """Return the error of a value that is none of the few allowed ones."""
    names = [str(each) for each in allowed]
    return field_error("not-a-choice", at, allowed=names, **near(str(value), names))


def contradictory(why: str, at: str = "$") -> FieldError:
    """Return the error of valid fields that contradict each other; `why` is in the catalogs."""
    return field_error("contradictory", at, why=why)


def malformed(misfits: Sequence[FieldError]) -> Refused:
    """Return the refusal of a request with misfits; its reason and facts are of the first one."""
    first = misfits[0]
    return Refused("malformed", reason=first.reason, facts=first.facts, errors=tuple(misfits))


def body_errors(kind: Any, value: object, error: msgspec.ValidationError) -> Refused:  # noqa: ANN401
    """Return the refusal of a body that is no `kind`; `value` is the body decoded as plain JSON."""
    _, _, place = str(error).partition(" - at ")
    # For a key of an object, msgspec's place is "`key` in `$.events[0].hands`".
    path = place.rpartition(" in ")[2].strip("`")
    inner, part, at = _followed(_type(kind), value, _STEP.findall(path))
    if isinstance(error.__cause__, ValueError) and _SOME_KEY not in path:
        return malformed([contradictory(str(error.__cause__), at)])
    misfit = first_field_error(inner, part, at) or contradictory("", at)
    return malformed([_among_others(misfit, value) if misfit.reason == "no-slug" else misfit])


def _among_others(misfit: FieldError, body: object) -> FieldError:
    """Add the names that decide which suggestions fit.

    They are the players of the opening that the misfit lies in, and the other names in its list.
    """
    part: object = body
    field = ""
    seated: frozenset[str] | None = None
    beside: frozenset[str] = frozenset()
    for name, index in _STEP.findall(misfit.at):
        field = name or field
        if index and _is_list(part):
            beside, part = _texts(part), part[int(index)]
        elif _is_object(part):
            if "edition" in part and name != "players":
                seated = _texts(part.get("players"))
            part = part.get(name)
    if field == "substitute":
        return replace(misfit, beside=seated or frozenset())
    return replace(misfit, among=seated, beside=beside)


def _texts(value: object) -> frozenset[str]:
    """Return the texts in a list; none if `value` is no list."""
    return (
        frozenset(each for each in value if isinstance(each, str))
        if _is_list(value)
        else frozenset()
    )


def _followed(
    kind: inspect.Type,
    value: Any,  # noqa: ANN401 any JSON
    steps: Sequence[tuple[str, str]],
) -> tuple[inspect.Type, Any, str]:
    """Follow a path into a body. Return the type, the value and the path of the part reached.

    It ends early if the path does not name the next key (`[...]`).
    """
    at = "$"
    for name, index in steps:
        within = _meant(kind, value)
        if index and index != _SOME_KEY:
            kind, value = cast("inspect.ListType", within).item_type, value[int(index)]
            at += f"[{index}]"
        elif isinstance(within, inspect.StructType) and name in _fields(within):
            kind, value = _fields(within)[name].type, value[name]
            at += f".{name}"
        else:
            break
    return kind, value, at


@cache
def _type(kind: Any) -> inspect.Type:  # noqa: ANN401 a type
    return inspect.type_info(kind)


def _fields(kind: inspect.StructType) -> Mapping[str, inspect.Field]:
    return {field.encode_name: field for field in kind.fields}


def _alternatives(kind: inspect.Type) -> tuple[inspect.Type, ...]:
    """Return the types of a union, or the one type, without their metadata."""
    while isinstance(kind, inspect.Metadata):
        kind = kind.type
    if not isinstance(kind, inspect.UnionType):
        return (kind,)
    return tuple(each for member in kind.types for each in _alternatives(member))


def _tags(alternatives: Sequence[inspect.Type]) -> dict[object, inspect.StructType]:
    return {
        each.tag: each
        for each in alternatives
        if isinstance(each, inspect.StructType) and each.tag_field is not None
    }


def _meant(kind: inspect.Type, value: object) -> inspect.Type:
    """Return which of several types a value was meant to have, by its tag or its kind of JSON."""
    alternatives = _alternatives(kind)
    if _is_object(value):
        for tag, each in _tags(alternatives).items():
            if value.get(cast("str", each.tag_field)) == tag:
                return each
    return next((each for each in alternatives if _is_of_kind(each, value)), alternatives[0])


def _is_object(value: object) -> TypeGuard[dict[str, object]]:
    return isinstance(value, dict)


def _is_list(value: object) -> TypeGuard[list[object]]:
    return isinstance(value, list)


def _is_of_kind(kind: inspect.Type, value: object) -> bool:
    match kind:
        case (
            inspect.StrType() | inspect.LiteralType() | inspect.DateTimeType() | inspect.DateType()
        ):
            return isinstance(value, str)
        case inspect.BoolType():
            return isinstance(value, bool)
        case inspect.IntType():
            return isinstance(value, int) and not isinstance(value, bool)
        case inspect.ListType() | inspect.VarTupleType():
            return isinstance(value, list)
        case inspect.DictType() | inspect.StructType():
            return isinstance(value, dict)
        case _:
            return value is None


def first_field_error(kind: inspect.Type, value: Any, at: str) -> FieldError | None:  # noqa: ANN401 any JSON
    """Return the first error, or None. The value itself is checked first, then its parts."""
    alternatives = _alternatives(kind)
    if not any(_is_of_kind(each, value) for each in alternatives):
        kinds = [_KINDS[type(each)] for each in alternatives]
        return field_error("wrong-kind", at, kinds=list(dict.fromkeys(kinds)))
    meant = _meant(kind, value)
    tags = _tags(alternatives)
    if tags and isinstance(meant, inspect.StructType) and meant.tag_field is not None:
        if meant.tag_field not in value:
            return field_error("field-missing", at, field=meant.tag_field)
        tag = value[meant.tag_field]
        if not isinstance(tag, str):
            return field_error("wrong-kind", f"{at}.{meant.tag_field}", kinds=["a text"])
        if tag not in tags:
            return not_a_choice(f"{at}.{meant.tag_field}", tag, list(tags))
    return _misfit_of(meant, value, at)


def _misfit_of(kind: inspect.Type, value: Any, at: str) -> FieldError | None:  # noqa: ANN401 any JSON
    match kind:
        case inspect.LiteralType():
            return None if value in kind.values else not_a_choice(at, value, kind.values)
        case inspect.IntType():
            return _misfit_of_number(kind, value, at)
        case inspect.StrType():
            return _misfit_of_text(kind, value, at)
        case inspect.DateTimeType():
            return _misfit_of_time(value, at)
        case inspect.DateType():
            return None if _is_date(value) else field_error("no-date", at)
        case inspect.ListType() | inspect.VarTupleType():
            items = ((kind.item_type, each, f"{at}[{place}]") for place, each in enumerate(value))
            return _misfit_of_length("items", kind, value, at) or _first(items)
        case inspect.DictType():
            keys = ((kind.key_type, key, f"{at}.{key}") for key in value)
            items = ((kind.value_type, each, f"{at}.{key}") for key, each in value.items())
            return _misfit_of_length("items", kind, value, at) or _first(keys) or _first(items)
        case inspect.StructType():
            return _misfit_of_object(kind, value, at)
        case _:
            return None


def _first(parts: Iterator[tuple[inspect.Type, object, str]]) -> FieldError | None:
    return next((inner for part in parts if (inner := first_field_error(*part)) is not None), None)


def _misfit_of_number(kind: inspect.IntType, value: int, at: str) -> FieldError | None:
    least, most = kind.ge, kind.le
    if (least is None or least <= value) and (most is None or value <= most):
        return None
    return field_error("number-out-of-range", at, least=least, most=most)


def _misfit_of_text(kind: inspect.StrType, value: str, at: str) -> FieldError | None:
    if kind.pattern == SLUG:
        if len(value) <= MOST_IN_SLUG and re.search(SLUG, value):
            return None
        slug = in_slug(value)
        proposed = {} if slug is None else {"nearest": [slug]}
        return field_error("no-slug", at, most=MOST_IN_SLUG, **proposed)
    if kind.pattern == EVENT_ID:
        return None if re.search(EVENT_ID, value) else field_error("no-uuid", at)
    return _misfit_of_length("characters", kind, value, at)


def _misfit_of_length(
    counted: str,
    kind: inspect.StrType | inspect.ListType | inspect.VarTupleType | inspect.DictType,
    value: str | Sequence[object] | Mapping[str, object],
    at: str,
) -> FieldError | None:
    least, most = kind.min_length or 0, kind.max_length
    if least <= len(value) and (most is None or len(value) <= most):
        return None
    return field_error(f"number-of-{counted}", at, least=least, most=most, count=len(value))


def _misfit_of_time(value: str, at: str) -> FieldError | None:
    try:
        time = msgspec.convert(value, datetime)
    except msgspec.ValidationError:
        return field_error("no-time", at)
    return field_error("no-time", at) if time.tzinfo is None else None


def _is_date(value: str) -> bool:
    try:
        msgspec.convert(value, date)
    except msgspec.ValidationError:
        return False
    return True


def _misfit_of_object(
    kind: inspect.StructType, value: Mapping[str, object], at: str
) -> FieldError | None:
    fields = _fields(kind)
    for name in value:
        if name not in fields and name != kind.tag_field:
            others = [each for each in fields if each not in value]
            known = {"allowed": list(fields), **near(name, others)} if fields else {}
            return field_error("field-unknown", at, field=name, **known)
    for name, field in fields.items():
        if field.required and name not in value:
            return field_error("field-missing", at, field=name)
    inner = (
        (fields[name].type, each, f"{at}.{name}")
        for name, each in value.items()
        if name != kind.tag_field
    )
    return _first(inner) or _misfit_between_fields(kind, value, at)


def _misfit_between_fields(
    kind: inspect.StructType, value: Mapping[str, object], at: str
) -> FieldError | None:
    """Return the error that a struct itself raises for fields that contradict each other."""
    try:
        msgspec.convert(value, kind.cls)
    except msgspec.ValidationError as error:
        return contradictory(str(error.__cause__ or error), at)
    return None


def query_errors(
    handler: BaseRouteHandler, query: Mapping[str, str], unfit: Collection[str]
) -> Refused | None:
    """Return the refusal of a query, or None if no parameter is at fault.

    `unfit`: the parameters that can't be read, by their names in the handler and its dependencies.
    The refusal lists these first, then the required parameters that are missing.
    """
    dependencies = handler.resolve_dependencies().values()
    fields = [
        field
        for signature in (
            handler.parsed_fn_signature,
            *(each.parsed_fn_signature for each in dependencies),
        )
        for field in signature.parameters.values()
        if isinstance(field.kwarg_definition, QueryParameter)
    ]
    misfits = [
        misread
        for field in fields
        if field.name in unfit and (misread := _misread(field, query)) is not None
    ]
    misfits += [
        field_error("field-missing", "$", field=_name(field))
        for field in fields
        if field.is_required and _name(field) not in query
    ]
    return malformed(misfits) if misfits else None


def _name(field: FieldDefinition) -> str:
    """Return the parameter's name in the address."""
    definition = field.kwarg_definition
    return (isinstance(definition, QueryParameter) and definition.name) or field.name


def _misread(field: FieldDefinition, query: Mapping[str, str]) -> FieldError | None:
    name = _name(field)
    kind, value = _type_in_query(field), query.get(name, "")
    if isinstance(kind, inspect.IntType) and _WHOLE_NUMBER.fullmatch(value):
        return first_field_error(kind, int(value), name)
    return first_field_error(kind, value, name)


def _type_in_query(field: FieldDefinition) -> inspect.Type:
    """Return the parameter's type with its bounds, and without null, which no address can spell."""
    definition = field.kwarg_definition
    assert isinstance(definition, QueryParameter)
    inner: Any = field.annotation
    if field.is_optional:
        (inner,) = (each for each in get_args(inner) if each is not NoneType)
    bounds = {
        "ge": definition.ge,
        "le": definition.le,
        "max_length": definition.max_length,
        "pattern": definition.pattern,
    }
    given: dict[str, Any] = {name: each for name, each in bounds.items() if each is not None}
    return inspect.type_info(Annotated[inner, Meta(**given)] if given else inner)
