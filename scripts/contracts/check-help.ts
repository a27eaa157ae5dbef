export const CHECK_HELP = `Holds a real backend against the contract of the portal.

  npm run contracts:check -- --base URL [flags]

Who signs in (else only what needs nobody is tried):
  --email, --password   or the variables CONTRACTS_EMAIL and CONTRACTS_PASSWORD
  --token TOKEN         a session there is already

What is tried:
  (always)              whether a portal can call it at all, every read, how it refuses
  --origin URL          where the portal runs, for CORS
  --only GLOB           places.list, 'devices.*', '/users/*'
  --write               creates, reads, changes and removes a tag, a contact, a place, links
  --allow-destructive   the rest, when the account is the one in CONTRACTS_DISPOSABLE: it is gone afterwards
  --parity URL          the same reads there, to list what differs; http://name:password@host signs in as another

What comes of it:
  --format LIST         table, json, junit, html; with a file each: table,junit=report.xml,html=report.html
  --record FILE         every call as an HTTP archive, without its secrets
  --baseline FILE       a JSON report of before; what failed then counts no more
  --max-rps N           calls a second, 2 unless told
  --clean-up FILE       what was made and not yet removed, .cache/contracts-clean-up.json unless told

Exit code: 0 clean, 1 something fails that is not in the baseline, 2 it could not run.

  npm run contracts:check -- --base http://localhost:8080 --email alice@example.com --password Demo-1234
  npm run contracts:check -- --base https://api.tracker.example --origin https://portal.example --write
`
