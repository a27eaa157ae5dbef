import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { readConfig, requireProduction, VARIABLES } from '#server/config.ts'
import { PRODUCTION } from '#server/test/test-process.ts'

const readme = readFileSync('README.md', 'utf8')

test('every npm command of the README exists in package.json', () => {
  const scripts = Object.keys(JSON.parse(readFileSync('package.json', 'utf8')).scripts)
  const mentioned = [...readme.matchAll(/\bnpm run ([\w:]+)/g)].map(([, name]) => name)
  expect(mentioned.length).toBeGreaterThan(10)
  expect(scripts).toEqual(expect.arrayContaining(mentioned))
})

test('docker-compose.scale.yml sets only variables of the server, all that production requires, and its command sets those without a default', () => {
  const compose = readFileSync('docker-compose.scale.yml', 'utf8')
  const server = compose.slice(compose.indexOf('x-server:'), compose.indexOf('\nservices:'))
  const set = [...server.matchAll(/^ {4}([A-Z_]+): (.*)$/gm)].map(([, name = '', value = '']) => [name, value] as const)
  const samples: Record<string, string> = { ...PRODUCTION, POSTGRES_PASSWORD: 'abc', METRICS_TOKEN: '' } as Record<string, string>
  const fill = (value: string) =>
    value.replace(/\$\{(\w+)(?::([-?])([^}]*))?\}/g, (_, name, kind, rest) => (kind === '-' ? rest : samples[name]))
  const env = Object.fromEntries(set.map(([name, value]) => [name, fill(value)]))
  const config = readConfig(env)
  expect(() => requireProduction(config)).not.toThrow()
  expect(Object.keys(env).filter((name) => !(name in config) && env[name] !== '')).toEqual([])
  const command = compose.slice(0, compose.indexOf('x-server:'))
  for (const [, name] of compose.matchAll(/\$\{(\w+):\?/g)) expect(command).toContain(`${name}=`)
})

test('the image contains the migrations of both engines', () => {
  const dockerfile = readFileSync('Dockerfile', 'utf8')
  for (const folder of ['db/migrations', 'db/postgres/migrations']) expect(dockerfile).toContain(`COPY ${folder} ${folder}\n`)
})

test('the container commands of README.md and docker-compose.yml set every required variable', () => {
  const required = [...readFileSync('docker-compose.yml', 'utf8').matchAll(/\$\{(\w+):\?/g)].map(([, name]) => name)
  expect(required).toEqual(['CONTROL_TOKEN'])
  for (const file of ['README.md', 'docker-compose.yml']) {
    const command = readFileSync(file, 'utf8').match(/(\S*=.*)?docker compose up\b.*/)?.[0] ?? ''
    for (const name of required) expect(command, file).toContain(`${name}=`)
  }
})

const guides = ['', 'testing/']
  .flatMap((folder) => readdirSync(`docs/${folder}`).map((file) => folder + file))
  .filter((file) => file.endsWith('.md') && file !== 'README.md')

test('docs/README.md leads to every guide', () => {
  const hall = readFileSync('docs/README.md', 'utf8')
  expect(guides.length).toBeGreaterThan(15)
  expect(guides.filter((file) => !hall.includes(`](${file}`))).toEqual([])
})

test('every file that a guide links to or names exists', () => {
  const files = ['README.md', 'CONTRIBUTING.md', 'docs/README.md', ...guides.map((file) => `docs/${file}`)]
  const missing = files.flatMap((file) => {
    const text = readFileSync(file, 'utf8')
    const linked = [...text.matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)].map(([, to = '']) => path.join(path.dirname(file), to))
    const named = [...text.matchAll(/`((?:contracts|db|server|web|scripts|e2e|locales|examples)\/[\w./-]+)`/g)].map(([, to = '']) => to)
    return [...linked, ...named].filter((to) => !existsSync(to)).map((to) => `${file}: ${to}`)
  })
  expect(missing).toEqual([])
})

test('docs/production.md lists every variable of the server, and marks those that production requires', () => {
  const rows = [...readFileSync('docs/production.md', 'utf8').matchAll(/^\| (`[A-Z][^|]*) \| ([^|]*) \|/gm)]
  const listed = rows.flatMap(([, names = '', standard = '']) =>
    [...names.matchAll(/`(\w+)`/g)].map(([, name = '']) => ({ name, isRequired: standard.startsWith('**required**') })),
  )
  expect(listed.map(({ name }) => name).sort()).toEqual([...VARIABLES].sort())
  const complaint = (name: string) => {
    try {
      requireProduction(readConfig({ ...PRODUCTION, [name]: '' }))
      return ''
    } catch (error) {
      return String(error)
    }
  }
  const required = VARIABLES.filter((name) => complaint(name).includes(name))
  expect(
    listed
      .filter(({ isRequired }) => isRequired)
      .map(({ name }) => name)
      .sort(),
  ).toEqual(required.sort())
})
