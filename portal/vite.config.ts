import babel from '@rolldown/plugin-babel'
import { lingui, linguiTransformerBabelPreset } from '@lingui/vite-plugin'
import tailwind from '@tailwindcss/vite'
import { defineConfig } from 'vite'
import { aheadScript } from './vite.ahead.ts'
import { manual } from './vite.manual.ts'
import { preactInsteadOfReact } from './vite.preact.ts'
import { programWorker } from './vite.worker.ts'
import { brotli, builtAssets, loginBudget, searchApart } from './vite.plugins.ts'
import { icons } from './vite.icons.ts'
import { everyTextTranslated, firstTexts } from './vite.texts.ts'

const screens = 'Shell|LoadFailedPage|PendingPage|MemberPage|BadLink|useCaret'

// Each file is a request, which takes half a second on a slow phone, and without HTTP/2 only six
// run at a time. So the modules of one screen share a file. A pattern includes everything its
// modules import.
const files = [
  // The login page: libraries, which change rarely, and our own modules. A file also needs its
  // style sheet; that of main.tsx is already in the first page, so main.tsx has its own file.
  { name: 'base', tags: ['$initial' as const], test: /node_modules/ },
  { name: 'start', tags: ['$initial' as const], test: /src\/(?!main\.tsx).*\.tsx?$/ },
  // The calls of the first screen. It is smaller than the screens and so arrives before them.
  { name: 'answers', test: /\/prefetch\.ts$/ },
  // The screens for a customer at the counter, and the modules that they share with the search: no
  // other screen may need the file of the search.
  {
    name: 'counter',
    test: new RegExp(String.raw`/(?:(?:${screens})\.tsx?|caret-right|user-plus)$`),
  },
  { name: 'search', test: /\/(?:SearchPage|HeaderSearchBox)\.tsx$/ },
  { name: 'sheets', test: /\/(?:SheetDialog|(?:Redeem|Spend|Undo)Sheet)\.tsx$/ },
  {
    name: 'tabs',
    test: /\/(?:CouponsPage|IssuePanel|PointsPage|RedeemPage|TransactionsPage)\.tsx$/,
  },
  { name: 'forms', test: /\/(?:ProfilePage|RegisterPage)\.tsx$/ },
]

// Chromium then compiles all functions of a file while it downloads, on another thread. Otherwise
// each function is compiled when it is first called, which delays the first paint. Other browsers
// ignore the comment.
const compileHint = '//# allFunctionsCalledOnLoad'

// Libraries mark their client components with "use client", which means nothing here.
const checks = { moduleLevelDirective: false }

// Two builds: one for the browser (`vite build`), and the first page for the server (`vite build
// --ssr src/first-page.tsx --outDir dist/server`), which links the assets of the former.
export default defineConfig(({ isSsrBuild }) => ({
  plugins: [
    // Must run before the macros transform the texts.
    everyTextTranslated(),
    firstTexts(),
    manual(),
    icons(),
    lingui({ failOnMissing: true, failOnCompileError: true }),
    babel({ presets: [linguiTransformerBabelPreset()], sourceMap: false }),
    tailwind(),
    ...(isSsrBuild ? [builtAssets(), aheadScript()] : [programWorker()]),
    // Compressing takes most of a build's time; a test that needs a second build skips it.
    ...(process.env['COMPRESS'] === '0'
      ? []
      : isSsrBuild
        ? [loginBudget(), searchApart()]
        : [brotli()]),
  ],
  build: {
    target: 'es2022',
    sourcemap: false,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    ...(isSsrBuild
      ? // The server loads all four catalogues; only the browser loads them one by one.
        { rolldownOptions: { checks: { ...checks, ineffectiveDynamicImport: false } } }
      : {
          outDir: 'dist/client',
          manifest: true,
          rolldownOptions: {
            input: 'src/main.tsx',
            checks,
            output: { postBanner: compileHint, codeSplitting: { groups: files } },
          },
        }),
  },
  resolve: { alias: preactInsteadOfReact },
  // Otherwise the first page would contain the libraries' development builds.
  ...(isSsrBuild ? { define: { 'process.env.NODE_ENV': '"production"' } } : {}),
  // The server runs the first page without the portal's packages.
  ssr: { noExternal: true },
  // `npm run dev` starts the server at PORT.
  server: {
    host: '127.0.0.1',
    proxy: { '/web': `http://127.0.0.1:${process.env['PORT'] || '8080'}` },
  },
}))
