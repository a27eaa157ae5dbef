import { openAddress } from '#server/test/test-deadly.ts'

/** Packs what ended by an instant, again and again, until it is killed; prints a line after each run. */
const [address = '', endedBy = ''] = process.argv.slice(2)
const db = await openAddress(address)
for (;;) {
  const packed = await db.packPositions!({ endedBy: new Date(endedBy), goesOn: () => true })
  process.stdout.write(`${packed} packed\n`)
}
