/** The key under which tag names are unique per account: case-insensitive, accents in composed form. */
export const tagKey = (name: string) => name.normalize('NFC').toLowerCase()
