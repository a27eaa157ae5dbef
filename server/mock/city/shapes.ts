import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Geometry, Layer, Position, Shape } from './city.ts'

/** On disk: kind, name, geometry, and lines in millionths of a degree, each point relative to the one before. */
type Stored = [kind: string, name: string | null, geometry: Geometry, lines: number[][]]

const fileOf = (dir: string, layer: Layer) => join(dir, `${layer}.json`)
const SCALE = 1e6

export function writeShapes(dir: string, layer: Layer, shapes: Shape[]) {
  const stored = shapes.map(({ kind, name, geometry, lines }): Stored => [kind, name, geometry, lines.map(pack)])
  writeFileSync(fileOf(dir, layer), JSON.stringify(stored))
}

export function readShapes(dir: string, layer: Layer): Shape[] {
  const stored: Stored[] = JSON.parse(readFileSync(fileOf(dir, layer), 'utf8'))
  return stored.map(([kind, name, geometry, lines]) => ({ kind, name, geometry, lines: lines.map(unpack) }))
}

function pack(line: Position[]): number[] {
  let [lastX, lastY] = [0, 0]
  return line.flatMap(([lng, lat]) => {
    const [x, y] = [Math.round(lng * SCALE), Math.round(lat * SCALE)]
    const step = [x - lastX, y - lastY]
    lastX = x
    lastY = y
    return step
  })
}

function unpack(steps: number[]): Position[] {
  const line: Position[] = []
  let [x, y] = [0, 0]
  for (let at = 0; at < steps.length; at += 2) {
    x += steps[at]!
    y += steps[at + 1]!
    line.push([x / SCALE, y / SCALE])
  }
  return line
}
