import { Tokenizer, TokenizerError, TokenType } from '@streamparser/json'
import { FILE_SHAPE } from '#contracts/lib/upload-limits.ts'
import { type Reader, refuseFile } from '#server/tracking/import/reader.ts'

export type JsonObject = { [name: string]: unknown }

type Container = { value: JsonObject | unknown[]; key: string | null; keys: number; line: number; valuesBefore: number }

const LINE_FEED = 0x0a
/** An object of one key that no other has takes as much memory as so many numbers in lists, and a text as one for each of these characters. */
const WEIGHT = { object: 4, characters: 32 }

const weigh = (value: unknown, key: string | null) => {
  const characters = (typeof value === 'string' ? value.length : 0) + (key?.length ?? 0)
  return (isPlainObject(value) ? WEIGHT.object : 1) + Math.floor(characters / WEIGHT.characters)
}

const isPlainObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Reads JSON value by value. Calls `take` with each object as it ends, innermost first, and its line; an object that it takes (returns true)
 * is dropped, as is every element of a list on the first two levels, so that a file may be longer than its values would take in memory.
 */
export function createJsonReader(take: (object: JsonObject, line: number) => boolean): Reader {
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

  const close = () => {
    const closed = open.pop()
    if (!closed) return
    // A list that grew has room for 17 values or more; its copy has room for those it holds.
    if (Array.isArray(closed.value)) return put(closed.value.slice())
    if (!take(closed.value, closed.line)) return put(closed.value)
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
      if (!isMatching) throw refuseFile('broken', lineAt(offset))
      close()
      isKey = false
    } else if (token === TokenType.COMMA) isKey = open.length > 0 && !Array.isArray(open.at(-1)!.value)
    else if (token !== TokenType.COLON) {
      const parent = open.at(-1)
      if (isKey && parent) {
        if (token !== TokenType.STRING) throw refuseFile('broken', lineAt(offset))
        parent.key = String(value)
        if (++parent.keys > FILE_SHAPE.keys || parent.key.length > FILE_SHAPE.name) throw refuseFile('too_complex', lineAt(offset))
        isKey = false
      } else put(value)
    }
  }
  tokenizer.onError = (error) => {
    throw error
  }
  const guard = (work: () => void) => {
    try {
      work()
    } catch (error) {
      throw error instanceof TokenizerError ? refuseFile('broken', lineAt(Number.POSITIVE_INFINITY)) : error
    }
  }
  return {
    write(bytes) {
      lineAt(Number.POSITIVE_INFINITY)
      pieceStart += piece.length
      countedTo = 0
      piece = bytes
      guard(() => tokenizer.write(bytes))
      if (pieceStart + piece.length - tokenAt > FILE_SHAPE.text) throw refuseFile('too_complex', lineAt(Number.POSITIVE_INFINITY))
    },
    end() {
      guard(() => tokenizer.end())
      if (open.length > 0) throw refuseFile('broken', lineAt(Number.POSITIVE_INFINITY))
    },
  }
}

/** Assigning to `__proto__` would change the prototype. */
const defineValue = (object: JsonObject, name: string, value: unknown) => {
  if (name === '__proto__') return
  object[name] = value
}
