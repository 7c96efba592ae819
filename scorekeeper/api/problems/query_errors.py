"""Why a query string does not fit its operation, and what would be accepted."""

import re
from collections.abc import Collection, Mapping
from types import NoneType
from typing import Annotated, Any, Final, get_args

from litestar.handlers.base import BaseRouteHandler
from litestar.params import QueryParameter
from litestar.typing import FieldDefinition
from msgspec import Meta, inspect

from scorekeeper.api.problems.validation_errors import (
    FieldError,
    field_error,
    first_field_error,
    malformed,
)
from scorekeeper.service.refused import Refused

_WHOLE_NUMBER: Final = re.compile("-?[0-9]{1,17}")


def query_errors(
    handler: BaseRouteHandler, query: Mapping[str, str], unfit: Collection[str]
) -> Refused | None:
    """The refusal of a query; `unfit` are the handler's names of parameters that can't be read.

    Where there are none, one that the operation needs is missing; None: nothing is.
    """
    fields = [
        field
        for field in handler.parsed_fn_signature.parameters.values()
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
    """As it stands in the address."""
    definition = field.kwarg_definition
    return (isinstance(definition, QueryParameter) and definition.name) or field.name


def _misread(field: FieldDefinition, query: Mapping[str, str]) -> FieldError | None:
    name = _name(field)
    kind, told = _type(field), query.get(name, "")
    if isinstance(kind, inspect.IntType) and _WHOLE_NUMBER.fullmatch(told):
        return first_field_error(kind, int(told), name)
    return first_field_error(kind, told, name)


def _type(field: FieldDefinition) -> inspect.Type:
    """With its bounds, and without null, which no address can spell."""
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
