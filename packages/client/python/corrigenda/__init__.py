"""Client of the Corrigenda API. Uses only the standard library."""

from ._client import Corrigenda
from ._errors import CorrigendaError
from ._generated import AgentJob, CreateAgentJobRequest, JobChanges, JobEvent, JobToken, Me

__all__ = [
    "AgentJob",
    "Corrigenda",
    "CorrigendaError",
    "CreateAgentJobRequest",
    "JobChanges",
    "JobEvent",
    "JobToken",
    "Me",
]
