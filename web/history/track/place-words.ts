/** Street and house number of an address; the whole line is for where there is room. */
export const shortAddress = (address: string | null | undefined): string | null => address?.split(',')[0]?.trim() || null

/** A file name of the days a person chose, in the manner of D-30; a name may hold what a file's name may not. */
export const csvName = (name: string, from: string, to: string) => `${name.replace(/[\\/:*?"<>|\p{Cc}]+/gu, '-')}_${from}_${to}.csv`
