"""`scorekeeper openapi`: the API's description, as it is committed."""

import click


@click.command()
def openapi() -> None:
    """Print the OpenAPI document."""
    from scorekeeper.app import openapi_document

    click.echo(openapi_document(), nl=False)
