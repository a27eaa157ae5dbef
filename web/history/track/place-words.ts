/** Street and house number of an address, for where the whole line has no room. */
export const shortAddress = (address: string | null | undefined): string | null => address?.split(',')[0]?.trim() || null

/** File name of an export, without the characters that file names must not contain. */
export const exportFileName = (name: string, from: string, to: string) => `${name.replace(/[\\/:*?"<>|\p{Cc}]+/gu, '-')}_${from}_${to}.csv`
