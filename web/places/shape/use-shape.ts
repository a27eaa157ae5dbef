import { useState } from 'react'
import { encloseShape } from '#contracts/rules/geo/measure-shape.ts'
import type { Geofence } from '#contracts/rules/geo/place.ts'
import { SHAPE_LIMITS, type Shape, type ShapePoint } from '#contracts/rules/geo/shape.ts'
import { findShapeFault, type ShapeFault, tidyShape } from '#contracts/rules/geo/shape-faults.ts'

export type BorderKind = 'circle' | Shape['type']

const buildShape = (type: Shape['type'], points: ShapePoint[], width: number): Shape =>
  tidyShape(type === 'polygon' ? { type, points } : { type, points, width })

/** Parses the text of a shape as it stands in the form; null for a circle, or a text that is none. */
export function parseShapeText(text: string): Shape | null {
  try {
    const shape = JSON.parse(text)
    return shape && Array.isArray(shape.points) ? shape : null
  } catch {
    return null
  }
}

export const findFaultOfText = (text: string): ShapeFault | null => {
  const shape = parseShapeText(text)
  return shape ? findShapeFault(shape) : { reason: 'few_points' }
}

/** The shape of a place that is being drawn, with what can be undone. */
export function useShape(saved: Shape | null | undefined) {
  const [kind, setKind] = useState<BorderKind>(saved?.type ?? 'circle')
  const [points, setPoints] = useState<readonly ShapePoint[]>(saved?.points ?? [])
  const [width, setWidth] = useState<number>(saved?.type === 'corridor' ? saved.width : SHAPE_LIMITS.width.default)
  const [past, setPast] = useState<readonly (readonly ShapePoint[])[]>([])
  const [isChanged, setChanged] = useState(false)
  const shape = kind === 'circle' ? null : buildShape(kind, [...points], width)
  const touch = <T>(set: (value: T) => void) => {
    return (value: T) => {
      setChanged(true)
      set(value)
    }
  }
  return {
    kind,
    points,
    width,
    shape,
    fault: shape && findShapeFault(shape),
    isChanged,
    text: shape ? JSON.stringify(shape) : '',
    choose: touch(setKind),
    setWidth: touch(setWidth),
    /** Sets the points; `isStep` unless they continue the last change, such as dragging on. */
    change: (next: readonly ShapePoint[], isStep = true) => {
      setChanged(true)
      if (isStep) setPast([...past, points])
      setPoints(next)
    },
    canUndo: past.length > 0,
    undo: () => {
      setPoints(past.at(-1) ?? points)
      setPast(past.slice(0, -1))
    },
    restore: (text: string) => {
      const draft = parseShapeText(text)
      setKind(draft?.type ?? 'circle')
      setPoints(draft?.points ?? [])
      if (draft?.type === 'corridor') setWidth(draft.width)
    },
  }
}

export type ShapeDraft = ReturnType<typeof useShape>

/** A place with the border of a shape, to be drawn. */
export const encloseDraft = (shape: Shape): Geofence => ({ ...encloseShape(shape), shape })
