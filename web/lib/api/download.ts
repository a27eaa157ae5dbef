/** Saves bytes from the API as a file. A plain link would not work because it cannot send the token. */
export function saveFile(bytes: Uint8Array<ArrayBuffer>, name: string, type: string) {
  const address = URL.createObjectURL(new Blob([bytes], { type }))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}
