/** Saves bytes from the API as a file. A plain link would not work because it cannot send the token. */
export function saveFile(bytes: Uint8Array<ArrayBuffer>, name: string, type: string) {
  const address = URL.createObjectURL(new Blob([bytes], { type }))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}

/** Whether the system can share a file like this one, as phones do. */
export const canShareFile = (file: File) => 'canShare' in navigator && navigator.canShare({ files: [file] })

/** Opens the share sheet of the system. If the user closes it, it rejects too, which needs no message. */
export const shareFile = (file: File) => void navigator.share({ files: [file], title: file.name }).catch(() => undefined)

export const downloadFile = async (file: File) => saveFile(new Uint8Array(await file.arrayBuffer()), file.name, file.type)
