import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const readme = readFileSync('README.md', 'utf8')

test('every npm command of the README exists in package.json', () => {
  const scripts = Object.keys(JSON.parse(readFileSync('package.json', 'utf8')).scripts)
  const mentioned = [...readme.matchAll(/\bnpm run ([\w:]+)/g)].map(([, name]) => name)
  expect(mentioned.length).toBeGreaterThan(10)
  expect(scripts).toEqual(expect.arrayContaining(mentioned))
})

test('the container commands of README.md and docker-compose.yml set every required variable', () => {
  const required = [...readFileSync('docker-compose.yml', 'utf8').matchAll(/\$\{(\w+):\?/g)].map(([, name]) => name)
  expect(required).toEqual(['CONTROL_TOKEN'])
  for (const file of ['README.md', 'docker-compose.yml']) {
    const command = readFileSync(file, 'utf8').match(/(\S*=.*)?docker compose up\b.*/)?.[0] ?? ''
    for (const name of required) expect(command, file).toContain(`${name}=`)
  }
})
