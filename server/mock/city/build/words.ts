const ABBREVIATIONS: Record<string, string> = {
  av: 'avenida',
  avda: 'avenida',
  ave: 'avenida',
  bv: 'bulevar',
  bvar: 'bulevar',
  blvr: 'bulevar',
  boulevard: 'bulevar',
  cno: 'camino',
  dr: 'doctor',
  gral: 'general',
  ing: 'ingeniero',
  pte: 'presidente',
  rbla: 'rambla',
  sta: 'santa',
  tte: 'teniente',
}

/** Lower-case words without accents or punctuation, with abbreviations expanded: equal for two spellings of the same street. */
export const normalizeWords = (text: string): string[] =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .map((word) => ABBREVIATIONS[word] ?? word)
