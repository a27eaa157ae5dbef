import { type Files, selectFiles } from '#scripts/check/files.ts'
import type { Finding } from '#scripts/check/runner.ts'

const FOLDER = 'docs/decisions/'
const INDEX = `${FOLDER}README.md`
const MAX_SENTENCE = 100

const FILE = /^(\d{3})-[a-z0-9-]+\.md$/
const TITLE = /^# (\d{3}) (\S.*)$/
const STATUS = /^\d{4}-\d{2}-\d{2}, accepted(?:; (.+))?$/
/** `extends [013](013-payments-converge.md), [020](020-panel.md)`: a verb and one or more links. */
const RELATION = /^([^[]+) (\[\d{3}\]\([\w-]+\.md\)(?:, \[\d{3}\]\([\w-]+\.md\))*)$/
const LINK = /\[(\d{3})\]\(([\w-]+\.md)\)/g
const INDEX_ROW = /^\| (\d{3}) \| \[(.+)\]\(([\w-]+\.md)\) \| (.+) \|$/gm
const GAPS_HEADING = '## Numbers without a record'

/** The inverse of a relation, seen from the other record; undefined for unknown words. */
const invertRelation = (words: string): string | undefined => {
  const pairs = { extends: 'extended by', amends: 'amended by' }
  for (const [active, passive] of Object.entries(pairs)) {
    if (words === active) return passive
    if (words === passive) return active
  }
  const replaces = words.match(/^replaces(?: (.+) of)?$/)
  if (replaces) return replaces[1] === undefined ? 'replaced by' : `${replaces[1]} replaced by`
  const replaced = words.match(/^(?:(.+) )?replaced by$/)
  if (replaced) return replaced[1] === undefined ? 'replaces' : `replaces ${replaced[1]} of`
  return undefined
}

type Relation = { words: string; number: string; file: string }
type DecisionRecord = { file: string; number: string; title: string; relations: Relation[]; problems: string[] }

const parseRecord = (path: string, text: string): DecisionRecord => {
  const file = path.slice(FOLDER.length)
  const number = file.match(FILE)?.[1] ?? ''
  const [first = '', blank, second = ''] = text.split('\n')
  const title = first.match(TITLE)
  const status = second.match(STATUS)
  const parts = (status?.[1]?.split('; ') ?? []).map((part) => ({ part, match: part.match(RELATION) }))
  return {
    file,
    number,
    title: title?.[2] ?? '',
    relations: parts.flatMap(({ match }) =>
      [...(match?.[2] ?? '').matchAll(LINK)].map(([, target = '', name = '']) => ({ words: match?.[1] ?? '', number: target, file: name })),
    ),
    problems: [
      ...(number === '' ? [`${path} has no name such as 042-passkeys.md`] : []),
      ...(title?.[1] === number ? [] : [`${path}:1 must be "# ${number} Title"`]),
      ...(status && blank === '' ? [] : [`${path}:3 must be "YYYY-MM-DD, accepted", with a blank line before it and relations after it`]),
      ...parts
        .filter(({ match }) => invertRelation(match?.[1] ?? '') === undefined)
        .map(({ part }) => `${path}:3 has "${part}": write extends, extended by, amends, amended by, replaces or replaced by, and links`),
    ],
  }
}

const findOneSided = (records: DecisionRecord[]) =>
  records.flatMap(({ file, number, relations }) =>
    relations.flatMap((relation) => {
      const other = records.find((record) => record.file === relation.file && record.number === relation.number)
      if (!other) return [`${FOLDER}${file}:3 names ${relation.number} (${relation.file}), which does not exist`]
      const inverse = invertRelation(relation.words)
      const isMutual = other.relations.some(({ words, file: back }) => words === inverse && back === file)
      return inverse === undefined || isMutual ? [] : [`${FOLDER}${other.file}:3 lacks "${inverse} [${number}](${file})"`]
    }),
  )

const findIndexProblems = (records: DecisionRecord[], index: string) => {
  const rows = [...index.matchAll(INDEX_ROW)].map(([, number, title, file, sentence = '']) => ({ number, title, file, sentence }))
  return [
    ...records.flatMap(({ file, number, title }) => {
      const own = rows.filter((row) => row.file === file)
      if (own.length !== 1) return [`${INDEX} lists ${file} ${own.length} times: give it one row`]
      return own[0]?.number === number && own[0].title === title
        ? []
        : [`${INDEX} lists ${file} with another number or title than "${title}"`]
    }),
    ...rows
      .filter(({ file }) => records.every((record) => record.file !== file))
      .map(({ file }) => `${INDEX} lists ${file}, which does not exist`),
    ...rows
      .filter(({ sentence }) => sentence.length > MAX_SENTENCE)
      .map(({ number, sentence }) => `${INDEX} describes ${number} in ${sentence.length} characters, at most ${MAX_SENTENCE} allowed`),
  ]
}

const findNumberProblems = (records: DecisionRecord[], index: string) => {
  const numbers = records.map(({ number }) => number)
  const explained: string[] = index.split(GAPS_HEADING)[1]?.match(/\b\d{3}\b/g) ?? []
  const all = Array.from({ length: Math.max(0, ...numbers.map(Number)) }, (_, position) => String(position + 1).padStart(3, '0'))
  return [
    ...all
      .filter((number) => !numbers.includes(number) && !explained.includes(number))
      .map((number) => `${INDEX} does not explain under "${GAPS_HEADING}" why there is no ${number}`),
    ...explained.filter((number) => numbers.includes(number)).map((number) => `${INDEX} explains why there is no ${number}, which exists`),
    ...[...new Set(numbers.filter((number, position) => numbers.indexOf(number) !== position))].map(
      (number) => `${FOLDER} has ${number} twice: give one of them the next number`,
    ),
  ]
}

/** Checks the form of the decision records, that related records link each other, and that the index lists each of them once. */
export const checkDecisions = (files: Files): Finding => {
  const records = selectFiles(files, (path) => path.startsWith(FOLDER) && path !== INDEX).map(([path, text]) => parseRecord(path, text))
  const index = files.get(INDEX) ?? ''
  return {
    fileCount: records.length,
    problems: [
      ...records.flatMap(({ problems }) => problems),
      ...findOneSided(records),
      ...findIndexProblems(records, index),
      ...findNumberProblems(records, index),
    ],
    remark: `${records.reduce((sum, { relations }) => sum + relations.length, 0) / 2} relations`,
  }
}
