import babel from '@rolldown/plugin-babel'
import { lingui, linguiTransformerBabelPreset } from '@lingui/vite-plugin'
import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { manual } from './vite.manual.ts'
import { programWorker } from './vite.worker.ts'
import { brotli, builtAssets, loginBudget } from './vite.plugins.ts'
import { icons } from './vite.icons.ts'
import { everyTextTranslated, firstTexts } from './vite.texts.ts'

// Each file is a request, which takes a slow phone half a second, and without HTTP/2 only six go at
// a time: what is shown together comes together. A pattern takes along all that its modules import.
const files = [
  // The login page: what others wrote, which outlives our versions, and what we did. Whoever needs
  // a file needs its style sheet; main.tsx's is in the first page already, so it stands alone.
  { name: 'base', tags: ['$initial' as const], test: /node_modules/ },
  { name: 'start', tags: ['$initial' as const], test: /src\/(?!main\.tsx).*\.tsx?$/ },
  // A clerk with a customer, from the search to the overview.
  { name: 'counter', test: /\/(?:(?:Shell|PendingPage|SearchPage|MemberPage)\.tsx|prefetch\.ts)$/ },
  { name: 'sheets', test: /\/(?:Redeem|Spend|Undo)Sheet\.tsx$/ },
  {
    name: 'tabs',
    test: /\/(?:CouponsPage|IssuePanel|PointsPage|RedeemPage|TransactionsPage)\.tsx$/,
  },
  { name: 'forms', test: /\/(?:ProfilePage|RegisterPage)\.tsx$/ },
]

// Two builds: the browser's (`vite build`) and the first page that the server renders
// (`vite build --ssr src/first-page.tsx --outDir dist/server`), which links the former's assets.
export default defineConfig(({ isSsrBuild }) => ({
  plugins: [
    // Before the macros turn a text into something else.
    everyTextTranslated(),
    firstTexts(),
    manual(),
    icons(),
    react(),
    lingui({ failOnMissing: true, failOnCompileError: true }),
    babel({ presets: [linguiTransformerBabelPreset()], sourceMap: false }),
    tailwind(),
    ...(isSsrBuild ? [builtAssets(), loginBudget()] : [brotli(), programWorker()]),
  ],
  build: {
    target: 'es2022',
    sourcemap: false,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    ...(isSsrBuild
      ? // The server has all four catalogues at hand; only the browser loads them one by one.
        { rolldownOptions: { checks: { ineffectiveDynamicImport: false } } }
      : {
          outDir: 'dist/client',
          manifest: true,
          rolldownOptions: {
            input: 'src/main.tsx',
            output: { codeSplitting: { groups: files } },
          },
        }),
  },
  // Else the first page would carry React's development half, and choose by the server's own mode.
  ...(isSsrBuild ? { define: { 'process.env.NODE_ENV': '"production"' } } : {}),
  // The server runs the first page without the portal's packages beside it.
  ssr: { noExternal: true },
  server: { host: '127.0.0.1', proxy: { '/web': 'http://127.0.0.1:8080' } },
}))
