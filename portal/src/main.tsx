import { RouterProvider } from '@tanstack/react-router'
import { StrictMode, type ReactNode } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import * as z from 'zod/mini'
import type { Theme } from '@tillside/contract/company'
import { languages } from '@tillside/contract/wire/language'
import { nearestLanguage } from '@tillside/contract/rules/language-fit'
import { setApiRoot } from './kit/call/call.ts'
import { readBoot, type Boot } from './company/boot.ts'
import {
  company,
  enterCompany,
  fetchTheme,
  firstLanguage,
  onOtherCompany,
  refuseLanguage,
} from './company/company.ts'
import { IdentifierSetPage } from './company/IdentifierSetPage.tsx'
import tillsideIcon from './company/tillside.svg'
import { saveEarlyInput } from './company/earlyInput.ts'
import { keepDrafts } from './kit/store/draft.ts'
import { isLive } from './kit/store/kept.ts'
import { deviceStorage } from './kit/store/storage.ts'
import {
  currentLanguage,
  saveLanguage,
  setCurrentLanguage,
  showLanguage,
  includeAllTexts,
} from './kit/text/language.ts'
import { followOrientation } from './kit/device/orientation.ts'
import { endSession } from './kit/call/endSession.ts'
import {
  followOtherTabs,
  removeOtherCompanies,
  session,
  sessionsOfOthers,
  watchExpiry,
} from './kit/call/session.ts'
import { otherCompany, sessionLost } from './kit/call/portalState.ts'
import { identifierIn, identifierSetPath, isDisplay, paths } from './paths.ts'
import { createPortalRouter, loadShell } from './routes.tsx'
import { EntryFrame } from './shell/EntryFrame.tsx'
import { PortalFrame } from './shell/PortalFrame.tsx'
import { runEffectsBeforeEvents } from './watch/effects.ts'
import { showLoadFailure } from './watch/loadFailure.ts'
import { loginReason } from './staff/loginReason.ts'
import { loadFont, showKeptFont } from './ui/style/fonts.ts'
import './ui/style/tokens.css'

// The strict content security policy has no `unsafe-eval`.
z.config({ jitless: true })

type Asking = { failed?: { identifier: string; error: unknown }; fromLink: boolean }

let root: Root | null = null
let boot: Boot | null = null

/** Work that can wait starts this long after the page was opened; in ms. */
const idleAfterMs = 3000

/** How long the frame from the server waits for answers before a placeholder replaces it; in ms. */
const pendingAfterMs = 300

start().catch(showLoadFailure)

async function start(): Promise<void> {
  const accessToken = takeAccessToken()
  runEffectsBeforeEvents()
  showKeptFont(deviceStorage)
  followOrientation()
  boot = readBoot()
  setApiRoot(boot?.api ?? '')
  const identifier = identifierIn(location.pathname)
  const fromLink = accessToken !== null
  if (identifier === null) return askForCompany({ fromLink })
  if (!session.use(identifier)) loginReason.set('expired')
  try {
    const painted = boot?.theme?.identifier === identifier
    const theme = painted && boot?.theme ? boot.theme : await fetchTheme(identifier)
    if (fromLink && !(await mayReplaceSession(theme))) return
    await enterCompany(theme, painted)
    // One device is used for one company (specification, sections 2 and 4: a change of the
    // identifier resets everything).
    for (const other of removeOtherCompanies()) void endSession(other)
  } catch (error) {
    return askForCompany({ fromLink, failed: { identifier, error } })
  }
  await openPortal(identifier, accessToken)
}

/**
 * A link may be a trick to end the session of another company, so the clerk is asked first.
 * @returns false if the clerk stays; their company is then opened
 */
async function mayReplaceSession(theme: Theme): Promise<boolean> {
  const [other] = sessionsOfOthers()
  if (other === undefined) return true
  company.set(theme)
  await showLanguage(firstLanguage(theme, [languageInAddress(), boot?.language ?? null]))
  const { askToLeave } = await import('./staff/LinkLogin.tsx')
  if (await askToLeave(other, theme.name, render)) return true
  location.replace(`/${other.identifier}${paths.modules().to}`)
  return false
}

async function askForCompany({ failed, fromLink }: Asking): Promise<void> {
  document.title = 'Tillside'
  const wish = languageInAddress()
  const language = firstLanguage(null, [wish, boot?.language ?? null])
  history.replaceState(null, '', identifierSetPath)
  const granted = wish === null ? null : nearestLanguage(languages, wish)
  if (granted !== null) saveLanguage(granted, null)
  await showLanguage(language)
  render(
    <EntryFrame>
      <IdentifierSetPage
        failed={failed}
        fromLink={fromLink}
        onFound={(identifier) => {
          // The language of the link is kept for the company that it was meant for.
          if (granted !== null) saveLanguage(currentLanguage(), identifier)
          // A full page load, so that no state of another company is left.
          location.assign(`/${identifier}${paths.login().to}`)
        }}
      />
    </EntryFrame>,
  )
  loadDeviceFont()
  if (wish !== null && granted === null) refuseLanguage()
}

async function openPortal(identifier: string, accessToken: string | null): Promise<void> {
  const wish = languageInAddress()
  const theme = company.get()
  const language = firstLanguage(theme, [wish, boot?.language ?? null])
  const granted = wish === null ? null : nearestLanguage(theme?.languages ?? [], wish)
  if (granted !== null) saveLanguage(granted, identifier)
  tidyAddress(identifier)
  // Its texts load in parallel with the first requests, which already ask in it.
  setCurrentLanguage(language)
  const isLoggedIn = session.token() !== null
  if (isLoggedIn) includeAllTexts()
  // A login link may be for another clerk: load nothing for the previous session.
  const ahead = isLoggedIn && accessToken === null ? startPrefetch() : nothingAhead
  await showLanguage(language)
  if (accessToken !== null) {
    const { logInByLink } = await import('./staff/LinkLogin.tsx')
    await logInByLink(accessToken, render)
  }
  const router = createPortalRouter(identifier)
  followOtherTabs()
  watchExpiry(() => sessionLost.set(true))
  leaveWithSession(router)
  resetOnOtherCompany(identifier)
  onOtherCompany(() => otherCompany.set(otherCompany.get() ?? 'opened'))
  if (wish !== null && granted === null) refuseLanguage()
  const loaded = router.load()
  const complete = Promise.all([loaded, ahead.answers])
  // The placeholder is in the file of the screens, so the frame stays at least until that arrives.
  const late = ahead.screens.then(() => new Promise((done) => setTimeout(done, pendingAfterMs)))
  await Promise.race([complete, late])
  render(<RouterProvider router={router} />)
  loaded.then(loadDeviceFont, loadDeviceFont)
}

/** After the files of the first screen, also when one of them could not be loaded. */
function loadDeviceFont(): void {
  loadFont(deviceStorage)
}

type Ahead = {
  /** Fulfilled when the file of the first screens has arrived or is lost. */
  screens: Promise<unknown>
  /** Fulfilled when the calls of the first screen are answered. */
  answers: Promise<unknown>
}

const nothingAhead: Ahead = { screens: Promise.resolve(), answers: Promise.resolve() }

function startPrefetch(): Ahead {
  const calls = import('./home/prefetch.ts').catch(() => null)
  return {
    screens: loadShell().catch(() => null),
    answers: calls.then((module) => module?.prefetchMember(location)),
  }
}

function render(page: ReactNode): void {
  root ??= makeRoot()
  root.render(
    <StrictMode>
      <PortalFrame>{page}</PortalFrame>
    </StrictMode>,
  )
}

function makeRoot(): Root {
  const container = document.getElementById('root')
  if (container === null) throw new Error('the page has no #root')
  saveEarlyInput(container)
  showIcon(company.get()?.logo ?? tillsideIcon)
  setTimeout(startVersionCheck, idleAfterMs)
  return createRoot(container)
}

function startVersionCheck(): void {
  // The development server has no versions.
  const version = boot?.version
  if (version === undefined) return
  const later = () => addEventListener('online', startVersionCheck, { once: true })
  import('./watch/versionCheck.ts').then(({ watchVersion }) => watchVersion(version)).catch(later)
}

function showIcon(address: string): void {
  const known = document.querySelector('link[rel=icon]')
  const link = known ?? document.createElement('link')
  link.setAttribute('rel', 'icon')
  link.setAttribute('href', address)
  if (known === null) document.head.append(link)
}

/** Removes the token of a login link from the address and the history before anything else. */
function takeAccessToken(): string | null {
  const url = new URL(location.href)
  const token = url.searchParams.get('token')
  if (token === null) return null
  url.searchParams.delete('token')
  history.replaceState(history.state, '', url)
  return token === '' ? null : token
}

function languageInAddress(): string | null {
  return new URLSearchParams(location.search).get('lang')
}

/** Writes the identifier in lower case, and removes `lang`, which would override a later choice. */
function tidyAddress(identifier: string): void {
  const url = new URL(location.href)
  url.searchParams.delete('lang')
  const rest = url.pathname.split('/').slice(2)
  url.pathname = ['', identifier, ...rest].join('/')
  if (url.href !== location.href) history.replaceState(history.state, '', url)
}

/** Logout, a lost session, and a logout in another tab all lead to the login form. */
function leaveWithSession(router: ReturnType<typeof createPortalRouter>): void {
  let backTo: string | undefined
  sessionLost.watch((lost) => {
    if (!lost) return
    sessionLost.set(false)
    const info = session.get()
    if (info === null) return
    loginReason.set(isLive(info) ? 'authFailed' : 'expired')
    backTo = location.pathname + location.search
    keepDrafts()
    session.close()
  })
  session.watch((info) => {
    if (info !== null || isDisplay(location)) return
    void router.navigate({ ...paths.login(backTo), replace: true })
    backTo = undefined
  })
}

/** Back and forward may lead to another company; then the page is loaded again. */
function resetOnOtherCompany(identifier: string): void {
  addEventListener('popstate', () => {
    if (identifierIn(location.pathname) !== identifier) location.reload()
  })
}
