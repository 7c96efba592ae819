"""Asking a plain ASGI application, without a server and without a lifespan."""

import asyncio

import httpx


def ask(app, method, address, *, client="10.0.0.1", **request) -> httpx.Response:
    """One request from `client`; exceptions of the application are raised here."""

    async def once():
        transport = httpx.ASGITransport(app, client=(client, 5))
        async with httpx.AsyncClient(transport=transport, base_url="http://test") as asking:
            return await asking.request(method, address, **request)

    return asyncio.run(once())
