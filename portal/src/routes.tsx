import {
  createRootRoute,
  createRoute,
  createRouter,
  notFound,
  redirect,
} from '@tanstack/react-router'
import { loadAllTexts, prefetchAllTexts } from './kit/text/language.ts'
import { session } from './kit/call/session.ts'
import { sessionLost } from './kit/call/portalState.ts'
import { isLive } from './kit/store/kept.ts'
import { tabIn } from './home/tabs.ts'
import { hideFormerCustomers, isFormerCustomer, seeCustomer } from './member/formerCustomers.ts'
import {
  identifierSetPath,
  namesMember,
  paths,
  queryIn,
  safeRedirect,
  type Address,
  type Query,
} from './paths.ts'
import { EntryFrame } from './shell/EntryFrame.tsx'
import { WaitingFrame } from './shell/waiting/WaitingFrame.tsx'
import { LoginPage } from './staff/LoginPage.tsx'
import { loadGrants } from './staff/permissions.ts'
import { company } from './company/company.ts'
import { Logo } from './company/Logo.tsx'
import { later } from './ui/load/later.tsx'
import { showLoadFailure } from './watch/loadFailure.ts'

/** Loads the file of the first screens. */
export const loadShell = () => import('./shell/Shell.tsx')
const loadSearch = () => import('./search/SearchPage.tsx')
const loadModules = () => import('./shell/ModuleSelectPage.tsx')
const NotFound = later(async () => (await import('./shell/NotFoundPage.tsx')).NotFoundPage)
// If its own file is lost too, a message without a file replaces the page.
const LoadFailed = later(async () => {
  const file = await import('./shell/LoadFailedPage.tsx').catch(() => null)
  if (file !== null) return file.LoadFailedPage
  showLoadFailure()
  return () => null
})

/** The pages that show no member. */
const withoutMember = /^\/(?:index|login|shift(?:\/store)?|static|manual(?:\/[^/]*)?)?\/?$/

const root = createRootRoute({
  // `lang` switches the language and leaves the address, wherever it is inside the portal.
  beforeLoad: async ({ location: { pathname, search }, preload }) => {
    const { lang, ...rest }: Query = search
    // A look-up opens its member from every page; those below /member read it themselves.
    if (namesMember(rest) && withoutMember.test(pathname)) {
      throw redirect({ ...paths.memberSearch(search), replace: true })
    }
    if (lang === undefined) return
    if (!preload) {
      const { followLanguage } = await import('./staff/changeLanguage.ts')
      await followLanguage([lang].flat()[0] ?? '')
    }
    throw redirect({ to: pathname, search: rest, replace: true })
  },
})

const login = createRoute({
  getParentRoute: () => root,
  path: '/login',
  beforeLoad: () => {
    if (session.token() !== null) throw redirect({ ...paths.modules(), replace: true })
  },
  component: LoginScreen,
})

function LoginScreen() {
  const navigate = login.useNavigate()
  return (
    <EntryFrame>
      <LoginPage
        logo={<Logo />}
        onLoggedIn={() => void navigate({ ...afterLogin(), replace: true })}
        onCompanyGone={() => location.assign(identifierSetPath)}
        onBegun={() =>
          void Promise.all([loadShell(), loadModules(), loadSearch(), prefetchAllTexts()]).catch(
            () => undefined,
          )
        }
      />
    </EntryFrame>
  )
}

/** The page that was open before login if it belongs to this company; otherwise the modules. */
function afterLogin(): Address {
  const wanted = new URLSearchParams(location.search).get('redirectUrl')
  const target = safeRedirect(wanted, company.get()?.identifier ?? '')
  return target === null ? paths.modules() : paths.inside(target)
}

/** The customer's window is no part of the clerk's pages, and stays when the session ends. */
const display = createRoute({
  getParentRoute: () => root,
  path: '/display',
  beforeLoad: loadAllTexts,
  component: later(async () => (await import('./display/DisplayPage.tsx')).DisplayPage),
})

const app = createRoute({
  getParentRoute: () => root,
  id: 'app',
  beforeLoad: async ({ location: { pathname } }) => {
    const info = session.get()
    if (!isLive(info)) {
      // The session expired while the page was open.
      if (info !== null) sessionLost.set(true)
      const wanted = pathname === '/' || pathname === paths.modules().to ? undefined : currentPath()
      throw redirect({ ...paths.login(wanted), replace: true })
    }
    await Promise.all([loadAllTexts(), loadGrants()])
  },
  component: later(async () => (await loadShell()).Shell),
})

function currentPath(): string {
  return location.pathname + location.search
}

const home = createRoute({
  getParentRoute: () => app,
  path: '/',
  beforeLoad: () => redirectTo(paths.modules().to),
})

const modules = createRoute({
  getParentRoute: () => app,
  path: '/index',
  component: later(async () => (await loadModules()).ModuleSelectPage),
})

const shift = createRoute({
  getParentRoute: () => app,
  path: '/shift',
  component: later(async () => (await import('./shift/ShiftPage.tsx')).ShiftPage),
})

const storeShift = createRoute({
  getParentRoute: () => app,
  path: '/shift/store',
  beforeLoad: async () => {
    const { permissions } = await loadGrants()
    if (!permissions.has('storeShift')) throw notFound()
  },
  component: later(async () => (await import('./shift/StoreShiftPage.tsx')).StoreShiftPage),
})

const staticPage = createRoute({
  getParentRoute: () => app,
  path: '/static',
  component: later(async () => (await import('./shell/StaticPage.tsx')).StaticPage),
})

const rules = createRoute({
  getParentRoute: () => app,
  path: '/rules',
  component: later(async () => (await import('./manual/RulesPage.tsx')).RulesPage),
})

const manual = createRoute({
  getParentRoute: () => app,
  path: '/manual',
  component: later(async () => (await import('./manual/ManualPage.tsx')).ManualPage),
})

const manualArticle = createRoute({
  getParentRoute: () => app,
  path: '/manual/$page',
  component: later(async () => (await import('./manual/ManualArticle.tsx')).ManualArticle),
})

/** A page with a customer's data. After "Next customer", Back leads to the search instead. */
function showCustomer({ state }: { state: { __TSR_key?: string } }, isPreload: boolean): void {
  const { __TSR_key: key } = state
  if (isPreload || key === undefined) return
  if (isFormerCustomer(key)) throw redirect({ ...paths.memberSearch(), replace: true })
  seeCustomer(key)
}

/** Clerks whose menu does not have the member area cannot open it. */
const member = createRoute({
  getParentRoute: () => app,
  path: '/member',
  beforeLoad: async () => {
    const { areas } = await loadGrants()
    if (!areas.has('member')) throw notFound()
  },
})

const memberRedirects = [
  { path: '/', onwardTo: '/member/search' },
  { path: 'search', onwardTo: '/member/search/index' },
  { path: 'home', onwardTo: '/member/home/view' },
].map(({ path, onwardTo }) =>
  createRoute({ getParentRoute: () => member, path, beforeLoad: () => redirectTo(onwardTo) }),
)

const memberSearch = createRoute({
  getParentRoute: () => member,
  path: 'search/index',
  component: later(async () => (await loadSearch()).SearchPage),
})

const memberRegister = createRoute({
  getParentRoute: () => member,
  path: 'search/register',
  beforeLoad: async ({ location, preload }) => {
    showCustomer(location, preload)
    const { permissions } = await loadGrants()
    if (!permissions.has('register')) throw notFound()
  },
  component: later(async () => (await import('./register/RegisterPage.tsx')).RegisterPage),
})

const memberHome = createRoute({
  getParentRoute: () => member,
  // One route for all tabs, so that the member is not loaded again when the tab changes.
  path: 'home/$tab',
  beforeLoad: async ({ params, location, preload }) => {
    showCustomer(location, preload)
    const { permissions } = await loadGrants()
    if (tabIn(params.tab, permissions) === null) throw notFound()
  },
  component: later(async () => (await import('./home/MemberPage.tsx')).MemberPage),
})

/** Keeps the query, because a look-up in it names the member. */
function redirectTo(to: string): never {
  throw redirect({ to, search: true, replace: true })
}

const unknown = createRoute({
  getParentRoute: () => app,
  path: '/$',
  beforeLoad: () => {
    throw notFound()
  },
})

const tree = root.addChildren([
  login,
  display,
  app.addChildren([
    home,
    modules,
    shift,
    storeShift,
    staticPage,
    rules,
    manual,
    manualArticle,
    member.addChildren([...memberRedirects, memberSearch, memberRegister, memberHome]),
    unknown,
  ]),
])

/** The router of one company. The identifier is its base path and is in no route. */
export function createPortalRouter(identifier: string) {
  hideFormerCustomers(`/${identifier}${paths.memberSearch().to}`)
  return createRouter({
    routeTree: tree,
    basepath: `/${identifier}`,
    // Query values stay strings: a card number must not become a number.
    parseSearch: queryIn,
    stringifySearch: (search) => {
      const pairs = Object.entries(search).flatMap(([name, value]) =>
        [value].flat().map((one): [string, unknown] => [name, one]),
      )
      const query = new URLSearchParams(
        pairs.filter((pair): pair is [string, string] => typeof pair[1] === 'string'),
      )
      return query.size === 0 ? '' : `?${query}`
    },
    defaultNotFoundComponent: NotFound,
    defaultErrorComponent: LoadFailed,
    // Without `defaultPendingComponent`: its page would suspend (decision 140).
    InnerWrap: WaitingFrame,
    defaultPreload: 'intent',
    scrollRestoration: true,
  })
}
