import { parentPort } from 'node:worker_threads'
import { Failure } from '#server/lib/errors.ts'
import type { Work, WorkAnswer, WorkName } from '#server/lib/workers/run-in-worker.ts'

type Do = (...input: never[]) => unknown

/** The tasks of worker threads. Each loads only the modules it needs. */
const WORK: Record<WorkName, () => Promise<Do>> = {
  positions: async () => (await import('#server/tracking/import/formats/read-file.ts')).readPositions,
  places: async () => (await import('#server/places/read-places.ts')).readPlaces,
  photo: async () => (await import('#server/photos/encode-photo.ts')).encodePhoto,
  map: async () => (await import('#server/pictures/compose-map.ts')).composeMap,
  form: async () => (await import('#server/theft/theft-pdf.ts')).drawForm,
  invoice: async () => (await import('#server/billing/paper/draw-invoice.ts')).drawInvoice,
}

parentPort?.on('message', async ({ name, input }: Work) => {
  const answer = await answerWork(name, input)
  parentPort?.postMessage(answer, 'value' in answer ? listBuffers(answer.value) : [])
})

async function answerWork(name: WorkName, input: unknown[]): Promise<WorkAnswer> {
  try {
    return { value: await (await WORK[name]())(...(input as never[])) }
  } catch (error) {
    if (error instanceof Failure) return { failure: { code: error.code, extras: error.extras } }
    return { error: error instanceof Error ? error : new Error(String(error)) }
  }
}

/** Columns of numbers are transferred, not copied. */
function listBuffers(value: unknown): ArrayBuffer[] {
  if (value instanceof Float64Array || value instanceof Int32Array || value instanceof Uint32Array) return [value.buffer as ArrayBuffer]
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return []
  return Object.values(value).flatMap((each) => (typeof each === 'object' ? listBuffers(each) : []))
}
