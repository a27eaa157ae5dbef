import type { HistoryPage } from '#contracts/positions.ts'
import { joinPositions, type PositionColumns, toPositionColumns } from '#contracts/track/columns.ts'

/** A page's parameters in its link, in addition to those of the period. */
type PageQuery = Record<string, string>

/** The progress of reading: `positions` are those from the start without a gap. */
export type Progress = { positions: PositionColumns; total: number; pages: ReadonlyMap<number, PositionColumns> }

type Source = {
  readPage(query: PageQuery): Promise<HistoryPage>
  onProgress?(progress: Progress): void
  /** The result of an earlier attempt. */
  known?: Progress | undefined
}

/** Pages requested in parallel: with six, other calls of the screen would wait for a free connection. */
const AT_ONCE = 4

/**
 * Reads all pages: four at a time if the first page gives a count and page numbers, otherwise one by one until a page is empty or links
 * back to a page already read.
 */
export async function readPages({ readPage, onProgress, known }: Source): Promise<PositionColumns> {
  const first = await readPage({})
  const pages = new Map<number, PositionColumns>([[0, toPositionColumns(first.results)]])
  const numbering = findNumbering(first)
  if (!numbering) return readOneByOne(first, { readPage, onProgress })
  const size = first.results.length
  let last = Math.ceil(first.count / size) - 1
  if (known?.total === first.count) for (const [index, page] of known.pages) if (page.length === size) pages.set(index, page)
  let prefix = 0
  const report = () => {
    while (pages.has(prefix)) prefix++
    onProgress?.({ positions: joinInOrder(pages, prefix), total: first.count, pages })
  }
  report()
  let next = 1
  let following: PageQuery | null = null
  const work = async () => {
    while (next <= last) {
      const index = next++
      if (pages.has(index) && index < last) continue
      const page = await readPage(numbering.queryFor(index))
      pages.set(index, toPositionColumns(page.results))
      const query = page.next === null ? null : queryOf(page.next)
      const isNumbered = !query || numbering.indexOf(query) === index + 1
      // A backend that ignores the page number would send the first page again and again.
      if (!isNumbered) last = Math.min(last, index)
      if (isNumbered && index === last) following = query
      report()
    }
  }
  await settleAll(Array.from({ length: AT_ONCE }, work))
  const read = joinInOrder(pages, last + 1)
  // Positions that arrived since the first page are on further pages.
  return following ? joinPositions([read, await readOneByOne(await readPage(following), { readPage })]) : read
}

/** A failed page must not stop the others: their results are reused by the next attempt. */
async function settleAll(works: Promise<void>[]) {
  for (const result of await Promise.allSettled(works)) if (result.status === 'rejected') throw result.reason
}

const joinInOrder = (pages: ReadonlyMap<number, PositionColumns>, count: number) =>
  joinPositions(Array.from({ length: count }, (_, index) => pages.get(index)).filter((page) => page !== undefined))

async function readOneByOne(first: HistoryPage, { readPage, onProgress }: Pick<Source, 'readPage' | 'onProgress'>) {
  const parts: PositionColumns[] = []
  const seen = new Set<string>()
  for (let page = first; ; ) {
    parts.push(toPositionColumns(page.results))
    const query = page.next === null ? null : queryOf(page.next)
    if (page.results.length === 0 || !page.next || !query || seen.has(page.next)) return joinPositions(parts)
    seen.add(page.next)
    onProgress?.({ positions: joinPositions(parts), total: first.count, pages: new Map() })
    page = await readPage(query)
  }
}

type Numbering = { queryFor(index: number): PageQuery; indexOf(query: PageQuery): number }

/** How pages are numbered, if the link to the second one counts pages or positions; undefined for a cursor. */
function findNumbering({ count, next, results: { length } }: HistoryPage): Numbering | undefined {
  const query = next === null ? null : queryOf(next)
  if (!query || length === 0 || count <= length) return undefined
  if (query.page === '2') return { queryFor: (index) => ({ ...query, page: String(index + 1) }), indexOf: ({ page }) => Number(page) - 1 }
  if (query.offset === String(length))
    return { queryFor: (index) => ({ ...query, offset: String(index * length) }), indexOf: ({ offset }) => Number(offset) / length }
  return undefined
}

/** The query of a link, of any host, relative or not; null without one. */
function queryOf(link: string): PageQuery | null {
  const search = URL.canParse(link, BASE) ? new URL(link, BASE).searchParams : new URLSearchParams()
  return search.size > 0 ? Object.fromEntries(search) : null
}

const BASE = 'https://portal.invalid'
