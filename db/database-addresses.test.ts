import { expect, test } from 'vitest'
import { splitAddress } from './database-addresses.ts'

test.each([
  ['postgres://u:p@h1:5432/db', ['postgres://u:p@h1:5432/db']],
  ['postgresql://h1/db?sslmode=require', ['postgresql://h1/db?sslmode=require']],
  ['postgres:///db?host=/run/postgresql', ['postgres:///db?host=/run/postgresql']],
  ['postgres://u:p@h1:5432,h2:5433/db', ['postgres://u:p@h1:5432/db', 'postgres://u:p@h2:5433/db']],
  ['postgres://u:p@h1,h2,h3:5433/db', ['postgres://u:p@h1/db', 'postgres://u:p@h2/db', 'postgres://u:p@h3:5433/db']],
  ['postgres://u:p,@h1,h2/db', ['postgres://u:p,@h1/db', 'postgres://u:p,@h2/db']],
  ['postgres://u@[::1]:5432,[fe80::2]/db', ['postgres://u@[::1]:5432/db', 'postgres://u@[fe80::2]/db']],
  ['postgres://h1,h2/db?target_session_attrs=read-write', ['postgres://h1/db', 'postgres://h2/db']],
  ['postgres://h1/db?target_session_attrs=primary&sslmode=require', ['postgres://h1/db?sslmode=require']],
  ['postgres://u:p@/db?host=h1,h2&port=1,2', ['postgres://u:p@h1:1/db', 'postgres://u:p@h2:2/db']],
  [
    'postgres:///db?host=h1,h2&port=5433&sslmode=require',
    ['postgres://h1:5433/db?sslmode=require', 'postgres://h2:5433/db?sslmode=require'],
  ],
])('%s is parsed into the hosts of a database', (address, expected) => {
  expect(splitAddress(address)).toEqual(expected)
})

test.each([
  ['localhost:5432', 'give the address of a PostgreSQL'],
  ['mysql://h1/db', 'give the address of a PostgreSQL'],
  ['postgres://h1:port/db', 'give the address of a PostgreSQL'],
  ['postgres://h1,/db', '"" is no host'],
  ['postgres://h1:1,h2:x/db', '"h2:x" is no host'],
  ['postgres://h1:1,h2:70000/db', '"h2:70000" is no host'],
  ['postgres://h1,h2/db?target_session_attrs=standby', 'target_session_attrs=standby is of no use'],
  ['postgres:///db?host=h1,h2&port=1,2,3', 'there are 2 hosts and 3 ports'],
  ['postgres://h0/db?host=h1,h2', 'the hosts stand in two places'],
  ['postgres://h1/db,postgres://h2/db', 'one address with all hosts'],
])('%s is rejected with a sentence that says why', (address, reason) => {
  expect(() => splitAddress(address)).toThrow(reason)
})
