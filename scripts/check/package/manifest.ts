type Manifest = Record<string, unknown> & { dependencies?: Record<string, string>; optionalDependencies?: Record<string, string> }

const PAGE = ['name', 'version', 'description', 'keywords', 'license', 'files', 'engines', 'bin', 'exports', 'types'] as const

/** Checks the fields of package.json that publishing and the registry's page need. */
export const checkManifest = (files: ReadonlyMap<string, string>) => {
  const manifest: Manifest = JSON.parse(files.get('package.json') ?? '{}')
  const missing = PAGE.filter((field) => !manifest[field]).map((field) => `package.json has no ${field}`)
  const local = Object.entries({ ...manifest.dependencies, ...manifest.optionalDependencies })
    .filter(([, range]) => /^(file|link|git|github|https?|workspace):/.test(range))
    .map(([name]) => `package.json depends on ${name} from a place that other machines lack`)
  return {
    fileCount: files.has('package.json') ? 1 : 0,
    problems: [
      ...(manifest.private ? ['package.json says private, so that npm refuses to publish it'] : []),
      ...missing,
      ...local,
      ...['LICENSE', 'README.md', 'NOTICE'].filter((file) => !files.has(file)).map((file) => `${file} is missing`),
    ],
  }
}
