import { Tokenizer, TokenizerError, TokenType } from '@streamparser/json'
import type { ImportDamage } from '#contracts/data.ts'
import { FILE_SHAPE } from '#contracts/limits/upload-limits.ts'
import { type Reader, refuseFile } from './fixes.ts'

export type JsonObject = { [name: string]: unknown }

type Container = { value: JsonObject | unknown[]; key: string | null; keys: number; line: number; valuesBefore: number }

const LINE_FEED = 0x0a
/** An object with one unique key takes as much memory as so many numbers in lists, and a text as one for each of these characters. */
const WEIGHT = { object: 4, characters: 32 }

const weigh = (value: unknown, key: string | null) => {
  const characters = (typeof value === 'string' ? value.length : 0) + (key?.length ?? 0)
  return (isPlainObject(value) ? WEIGHT.object : 1) + Math.floor(characters / WEIGHT.characters)
}

const isPlainObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value)

/** `isCut` is true for an object that the end of the file cuts off: its last value may be incomplete. */
export type TakeObject = (object: JsonObject, line: number, isCut: boolean) => boolean

/**
 * Reads JSON value by value. Calls `take` with each object as it ends, innermost first, and its line; an object that `take` accepts
 * (returns true) is dropped, like every element of a list on the first two levels, so that a file may be larger than memory. When the file
 * ends early or becomes unreadable, `onDamage` is called, and the open objects count as ended.
 */
export function createJsonReader(take: TakeObject, onDamage: (is: ImportDamage, line: number) => void): Reader {
  const open: Container[] = []
  let values = 0
  let piece: Uint8Array = new Uint8Array()
  let [pieceStart, countedTo, line] = [0, 0, 1]

  const lineAt = (offset: number) => {
    const end = Math.min(offset - pieceStart, piece.length)
    for (; countedTo < end; countedTo++) if (piece[countedTo] === LINE_FEED) line++
    return line
  }

  const put = (value: unknown) => {
    const parent = open.at(-1)
    if (!parent) return
    values += weigh(value, parent.key)
    if (values > FILE_SHAPE.values) throw refuseFile('too_complex', parent.line)
    if (!Array.isArray(parent.value)) defineValue(parent.value, parent.key ?? '', value)
    else if (open.length > 2) parent.value.push(value)
    else values = parent.valuesBefore
  }

  const close = (isCut = false) => {
    const closed = open.pop()
    if (!closed) return
    // A list that grew has capacity for 17 values or more; its copy only for those it contains.
    if (Array.isArray(closed.value)) return put(closed.value.slice())
    const isPart = isCut && Array.isArray(open.at(-1)?.value)
    if (!take(closed.value, closed.line, isCut)) return isPart ? undefined : put(closed.value)
    values = closed.valuesBefore
  }

  const tokenizer = new Tokenizer({ stringBufferSize: 1 << 12, numberBufferSize: 1 << 6 })
  let tokenAt = 0
  let isKey = false
  tokenizer.onToken = ({ token, value, offset }) => {
    tokenAt = offset
    const isObject = token === TokenType.LEFT_BRACE
    if (isObject || token === TokenType.LEFT_BRACKET) {
      if (open.length === FILE_SHAPE.depth) throw refuseFile('too_deep', lineAt(offset))
      open.push({ value: isObject ? {} : [], key: null, keys: 0, line: lineAt(offset), valuesBefore: values })
      isKey = isObject
    } else if (token === TokenType.RIGHT_BRACE || token === TokenType.RIGHT_BRACKET) {
      const isMatching = open.length > 0 && Array.isArray(open.at(-1)!.value) === (token === TokenType.RIGHT_BRACKET)
      if (!isMatching) throw new Broken()
      close()
      isKey = false
    } else if (token === TokenType.COMMA) isKey = open.length > 0 && !Array.isArray(open.at(-1)!.value)
    else if (token !== TokenType.COLON) {
      const parent = open.at(-1)
      if (isKey && parent) {
        if (token !== TokenType.STRING) throw new Broken()
        parent.key = String(value)
        if (++parent.keys > FILE_SHAPE.keys || parent.key.length > FILE_SHAPE.name) throw refuseFile('too_complex', lineAt(offset))
        isKey = false
      } else put(value)
    }
  }
  tokenizer.onError = (error) => {
    throw error
  }
  let isOver = false
  /** A list inside an open list is part of an element, such as a place without its latitude. */
  const cut = (is: ImportDamage) => {
    isOver = true
    onDamage(is, lineAt(Number.POSITIVE_INFINITY))
    if (Array.isArray(open.at(-1)?.value) && Array.isArray(open.at(-2)?.value)) open.pop()
    while (open.length > 0) close(true)
  }
  const guard = (work: () => void) => {
    try {
      work()
    } catch (error) {
      if (!(error instanceof TokenizerError || error instanceof Broken)) throw error
      cut('damaged')
    }
  }
  return {
    write(bytes) {
      lineAt(Number.POSITIVE_INFINITY)
      pieceStart += piece.length
      countedTo = 0
      piece = bytes
      if (isOver) return
      guard(() => tokenizer.write(bytes))
      if (pieceStart + piece.length - tokenAt > FILE_SHAPE.text && !isOver)
        throw refuseFile('too_complex', lineAt(Number.POSITIVE_INFINITY))
    },
    end() {
      if (open.length > 0 && !isOver) cut('ends_early')
    },
  }
}

/** Mismatched brackets, or a key that is not a text. */
class Broken extends Error {}

/** Assigning to `__proto__` would change the prototype. */
const defineValue = (object: JsonObject, name: string, value: unknown) => {
  if (name === '__proto__') return
  object[name] = value
}
