/** Code of the note service that the site `orchid` documents. */
export const ORCHID: Readonly<Record<string, string>> = {
  'services/api/limits.py': `from common.rate import PerMinute

TOKEN_RATE = PerMinute(90)


def check(token, counter):
    used = counter.increment(token.id, window=60)
    if used > TOKEN_RATE.limit:
        raise TooManyRequests(retry_after=counter.seconds_left(token.id))
`,
  'services/admin/limits.py': `from common.rate import PerMinute

TOKEN_RATE = PerMinute(600)
`,
  'services/api/routes.py': `from api import notes

ROUTES = [
    ("POST", "/v1/notes", notes.create),
    ("POST", "/v1/notes/{id}/share", notes.share),
    ("POST", "/v1/notes/{id}/archive", notes.archive),
]


def find(method, path):
    for known, pattern, handler in ROUTES:
        if known == method and matches(pattern, path):
            return handler
    raise NotFound(path)
`,
  'services/api/links.py': `from common.store import links


def open_link(request, key):
    link = links.get(key)
    return link.answer(request, now=request.time)
`,
  'services/api/tests/test_links.py': `from api.testing import client, create_note, share


def test_link_of_a_deleted_note():
    note = create_note("Plan")
    link = share(note, days=7)
    client.delete(f"/v1/notes/{note.id}")
    assert client.get(link).status_code == 410
`,
  'cli/import_command.py': `import argparse


def build_parser():
    parser = argparse.ArgumentParser(prog="orchid import")
    parser.add_argument("folder")
    parser.add_argument("--space", required=True, help="space that gets the notes")
    parser.add_argument("--dry-run", action="store_true")
    return parser
`,
}
