import json
import os
from pathlib import Path
from typing import Any, Dict, Iterator

import pytest

from incident_service import Client, ClientCredentials


@pytest.fixture(scope="session")
def service() -> Dict[str, Any]:
    """credentials.json of the running service, which ITSM_CREDENTIALS names."""
    file = os.environ.get("ITSM_CREDENTIALS")
    if not file:
        pytest.skip("ITSM_CREDENTIALS does not name the credentials.json of a running service")
    return json.loads(Path(file).read_text())  # type: ignore[no-any-return]


@pytest.fixture(scope="session")
def client(service: Dict[str, Any]) -> Iterator[Client]:
    manager = service["clients"]["manager"]
    with Client(service["base_url"], ClientCredentials(manager["client_id"], manager["client_secret"])) as client:
        yield client
