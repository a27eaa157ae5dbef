import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readConfig, requireProduction } from '#server/config.ts'
import { PRODUCTION } from '#server/test/test-process.ts'

const readme = readFileSync('README.md', 'utf8')

test('every npm command of the README exists in package.json', () => {
  const scripts = Object.keys(JSON.parse(readFileSync('package.json', 'utf8')).scripts)
  const mentioned = [...readme.matchAll(/\bnpm run ([\w:]+)/g)].map(([, name]) => name)
  expect(mentioned.length).toBeGreaterThan(10)
  expect(scripts).toEqual(expect.arrayContaining(mentioned))
})

test('docker-compose.scale.yml sets variables of the server only, all that production requires, and its command sets what has no default', () => {
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
