/** What two tags of an account may not share: the name without its case, however its accents are encoded. */
export const tagKey = (name: string) => name.normalize('NFC').toLowerCase()
