import i18next from 'i18next'
import { loadChunk } from '#web/lib/chunk.ts'

/** A table of its own, so that no other page carries the names of these files. */
const files = import.meta.glob<object>('../../../locales/*/operator.json', { import: 'default' })

async function addWords(language: string) {
  const words = await loadChunk(async () => files[`../../../locales/${language}/operator.json`]?.())
  i18next.addResourceBundle(language, 'translation', words, true, true)
}

/** Loads the words of the console, and again after each change of the language. */
export async function loadOperatorWords() {
  i18next.off('languageChanged', addWords)
  i18next.on('languageChanged', addWords)
  await addWords(i18next.language)
}
