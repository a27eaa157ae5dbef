import { sqlStateOf } from './connection.ts'

const remedies: Record<string, string> = {
  ECONNREFUSED: 'does not answer. Start it, or correct DATABASE_URL.',
  ENOTFOUND: 'has a host that is not found. Correct DATABASE_URL.',
  ETIMEDOUT: 'does not answer. Check the network, or correct DATABASE_URL.',
  '28P01': 'refuses the password of DATABASE_URL.',
  '28000': 'refuses the user of DATABASE_URL.',
  '3D000': 'does not exist. Create it, or correct DATABASE_URL.',
  '53300': 'has no connection left. Lower DATABASE_CONNECTIONS, or raise max_connections.',
}

/** Words what PostgreSQL or the network says of a database as one sentence with the remedy; anything else is passed on as it is. */
export function explain(error: unknown, url: string) {
  const remedy = remedies[sqlStateOf(error) ?? '']
  return remedy ? new Error(`The database ${withoutPassword(url)} ${remedy}`, { cause: error }) : error
}

function withoutPassword(text: string) {
  if (!URL.canParse(text)) return 'of DATABASE_URL'
  const { protocol, host, pathname } = new URL(text)
  return `${protocol}//${host}${pathname}`
}
