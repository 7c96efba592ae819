"""`scorekeeper openapi`: print the API's description, as it is committed."""

import click


@click.command()
def openapi() -> None:
    """Print the OpenAPI document."""
    from scorekeeper.api.application import document

    click.echo(document(), nl=False)
