/** Permissive licences, by their SPDX names. */
const ALLOWED = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'OFL-1.1',
  'PSF-2.0',
  'Unlicense',
  'WTFPL',
])

/** Packages that may have another licence, or whose licence is stated only in their files. */
const EXCEPTIONS: { name: RegExp; licences: string[]; why: string }[] = [
  { name: /^@img\/sharp-/, licences: ['LGPL-3.0-or-later'], why: 'libvips is a library of its own, which sharp loads' },
  { name: /^(axe-core|lightningcss(-.+)?)$/, licences: ['MPL-2.0'], why: 'tools of the tests and the build, no part of the package' },
  { name: /^argparse$/, licences: ['Python-2.0'], why: 'permissive, the licence of Python; only the program of markdown-it uses it' },
  { name: /^(@mapbox\/sphericalmercator|png-js)$/, licences: ['none'], why: 'their files say BSD-3-Clause and MIT' },
]

/** Bundled packages whose authors NOTICE must name. */
const NOTICES: { name: RegExp; notice: (name: string) => string }[] = [
  { name: /^@fontsource-variable\/inter$/, notice: () => 'Inter' },
  { name: /^(@fontsource|@expo-google-fonts)\/noto-/, notice: () => 'Noto' },
  { name: /^@fontsource(-variable)?\/(?!inter$|noto-)/, notice: (name) => name.replace(/^.*\//, '') },
  { name: /^(fit-file-parser|world-atlas|@fastify\/swagger-ui|@mapbox\/mvt-fixtures)$/, notice: (name) => name },
]

type Locked = { license?: string; link?: boolean }
type Manifest = { dependencies?: Record<string, string>; devDependencies?: Record<string, string> }

/** An expression of SPDX without inner parentheses: each part of AND must be allowed, and one of OR. */
function isAllowed(expression: string, more: readonly string[]) {
  const isKnown = (licence: string) => ALLOWED.has(licence) || more.includes(licence)
  const parts = expression.replace(/^\((.*)\)$/, '$1')
  return parts.includes(' OR ') ? parts.split(' OR ').some(isKnown) : parts.split(' AND ').every(isKnown)
}

/** Checks the licence of every locked package, and that NOTICE names the authors of bundled fonts, maps and readers. */
export const checkLicences = (files: ReadonlyMap<string, string>) => {
  const { packages = {} }: { packages?: Record<string, Locked> } = JSON.parse(files.get('package-lock.json') ?? '{}')
  const locked = Object.entries(packages).filter(([path, { link }]) => path.includes('node_modules/') && !link)
  const licences = locked.flatMap(([path, { license = 'none' }]) => {
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
    const more = EXCEPTIONS.filter((exception) => exception.name.test(name)).flatMap((exception) => exception.licences)
    return isAllowed(license, more)
      ? []
      : [`${name} has the licence ${license}, which is not allowed: scripts/check/package/licences.ts lists them`]
  })
  const { dependencies, devDependencies }: Manifest = JSON.parse(files.get('package.json') ?? '{}')
  const notices = Object.keys({ ...dependencies, ...devDependencies }).flatMap((name) => {
    const wanted = NOTICES.find((each) => each.name.test(name))?.notice(name)
    return wanted === undefined || files.get('NOTICE')?.includes(wanted) ? [] : [`NOTICE does not name ${wanted}, of the package ${name}`]
  })
  return { fileCount: locked.length, problems: [...licences, ...notices] }
}
