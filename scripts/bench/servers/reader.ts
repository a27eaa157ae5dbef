import { type Call, openLoad } from '#scripts/bench/load.ts'

/** Readers in a process of their own, so that reading long responses does not delay the client that is measured. */
export type Reading = { call: Call; readers: number } | 'stop'

let isReading = false

process.on('message', async (reading: Reading) => {
  if (reading === 'stop') {
    isReading = false
    return
  }
  const load = await openLoad(reading.call, reading.readers)
  isReading = true
  process.send?.('reading')
  while (isReading) await load.run(50)
  load.close()
  process.send?.('stopped')
})
process.send?.('ready')
