// The page runs the text of these two functions, so they use nothing else of this module, and no names that a compiler would wrap.

/** The page's own plugin for loading the document; `plugins` replaces the list that names it. */
export function downloadUrl(system: unknown) {
  // @ts-expect-error -- a global of the page
  return SwaggerUIBundle.plugins.DownloadUrl(system)
}

type Json = { [key: string]: Json }

/**
 * Replaces references by what they name. The page's own resolver reads a whole OpenAPI 3.1 document again for every operation that is
 * opened, which takes seconds for hundreds of operations. These documents refer only to themselves.
 */
export function resolveReferences() {
  const references = {
    find: (document: Json, path: string[]) => path.reduce<Json | undefined>((value, key) => value?.[key], document),
    resolve: (document: Json, value: Json | undefined, within: string[]): unknown => {
      if (typeof value !== 'object' || value === null) return value
      if (Array.isArray(value)) return value.map((item) => references.resolve(document, item, within))
      const { $ref: reference, ...rest } = value as Json & { $ref?: unknown }
      const own = Object.entries(rest).map(([key, item]) => [key, references.resolve(document, item, within)])
      if (typeof reference !== 'string') return Object.fromEntries(own)
      if (within.includes(reference)) return value
      const named = references.find(document, reference.split('/').slice(1))
      return { ...(references.resolve(document, named, [...within, reference]) as object), ...Object.fromEntries(own) }
    },
  }
  return {
    fn: {
      resolveSubtree: async (document: Json, path: string[]) => ({
        spec: references.resolve(document, references.find(document, path), []),
        errors: [],
      }),
    },
  }
}
