import { statfs } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import { Counter, Gauge, type Registry } from 'prom-client'
import { COUNTERS, type CounterName, listCounts } from '#server/lib/counts.ts'
import type { World } from '#server/ports/world.ts'

/** Properties of the process. `dataDir`: the folder whose free space is measured; without it none is. */
export type ProcessFacts = { version: string; engine: string; dataDir?: string | undefined }

/** Returns the function that copies the counters of a world into the registry. */
export function createCounterMetrics(registers: Registry[]) {
  const counters = (Object.keys(COUNTERS) as CounterName[]).map((name) => {
    const { help, labels } = COUNTERS[name]
    return { name, counter: new Counter({ name, help, labelNames: Object.keys(labels), registers }) }
  })
  return (world: World) => {
    for (const { name, counter } of counters) {
      counter.reset()
      for (const { labels, value } of listCounts(world.db, name)) counter.inc(labels, value)
    }
  }
}

/** Registers the metrics of the process: its build, its open live streams and the free space of its folder. */
export function createProcessMetrics(app: FastifyInstance, { version, engine, dataDir }: ProcessFacts) {
  const registers = [app.metrics]
  const labels = { version, engine, node: process.versions.node }
  new Gauge({ name: 'build_info', help: 'Release, engine and Node; always 1', labelNames: Object.keys(labels), registers }).set(labels, 1)
  new Gauge({
    name: 'live_streams_open',
    help: 'Live streams of people that are open',
    registers,
    collect() {
      this.set(app.openStreams.size)
    },
  })
  if (dataDir === undefined) return
  new Gauge({
    name: 'data_dir_free_bytes',
    help: 'Bytes that the server may still write to its data folder',
    registers,
    async collect() {
      const space = await statfs(dataDir).catch(() => undefined)
      if (space) this.set(space.bavail * space.bsize)
      else this.remove()
    },
  })
}
