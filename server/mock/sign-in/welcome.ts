import { chooseWording } from '#db/program-files.ts'
import { PERSONAS } from '#server/mock/seed/records/personas.ts'

const PASSWORD = PERSONAS[0]!.password
const OFFERED = ['alice', 'bruno', 'haruka', 'dario', 'admin', 'member'].flatMap(
  (key) => PERSONAS.find((persona) => persona.key === key) ?? [],
)

const START_AFRESH = chooseWording('npm run seed -- --force', 'npx whereabouts reset')

/** The accounts a visitor may use, for the sign-in page and the start-up text. */
export const welcome = {
  demo: { password: PASSWORD, accounts: OFFERED.map(({ email }) => email) },
  text: (origin: string) => `
  Whereabouts is running.

    Portal         ${origin}
    Sign in as     ${OFFERED.map(({ email }) => email).join('\n                   ')}
    Password       ${PASSWORD}

    Mailbox        ${origin}/mock/mailbox
    API reference  ${origin}/docs

  Stop with Ctrl-C. Start afresh with "${START_AFRESH}".

`,
}
