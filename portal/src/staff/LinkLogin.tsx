import { Trans } from '@lingui/react/macro'
import { noPasswordLogin, type LoginInfo } from '@tillside/contract/auth'
import { failures } from '@tillside/contract/wire/failures'
import type { ReactNode } from 'react'
import { company } from '../company/company.ts'
import { Logo } from '../company/Logo.tsx'
import { call } from '../kit/call/call.ts'
import { endSession } from '../kit/call/endSession.ts'
import { reasonOf, Refusal } from '../kit/call/failure.ts'
import { fullName } from '@tillside/contract/rules/person'
import { session } from '../kit/call/session.ts'
import { isLive } from '../kit/store/kept.ts'
import { Button } from '../ui/page/Button.tsx'
import { Notice } from '../ui/page/Notice.tsx'
import { PageFrame } from '../ui/page/PageFrame.tsx'
import { showToast } from '../ui/layer/toastStore.ts'
import { loginReason } from './loginReason.ts'

/**
 * Logs in with an access link, before the portal is shown.
 * @param show renders a page: waiting, a question, or an error
 */
export async function logInByLink(token: string, show: (page: ReactNode) => void): Promise<void> {
  show(<Waiting />)
  try {
    const info = await call(
      noPasswordLogin,
      { accessToken: token, identifier: company.get()?.identifier },
      { quiet: true },
    )
    await openSession(info, show)
  } catch (error) {
    if (error instanceof Refusal && handleRefusal(error)) return
    const again = await ask<boolean>(show, (answer) => <Failed error={error} onAnswer={answer} />)
    if (again) return logInByLink(token, show)
  }
}

/**
 * Asks whether a link may end the session of another company on this device.
 * @param name of the company that the link is for
 */
export function askToLeave(
  here: { identifier: string; info: LoginInfo },
  name: string,
  show: (page: ReactNode) => void,
): Promise<boolean> {
  return ask(show, (answer) => <CompanyQuestion {...here} name={name} onAnswer={answer} />)
}

/** A link for another account may be a trick, so the clerk is asked first. */
async function openSession(info: LoginInfo, show: (page: ReactNode) => void): Promise<void> {
  const before = session.get()
  const other = isLive(before) ? before : null
  if (other !== null && other.staff.account !== info.staff.account) {
    const agreed = await ask<boolean>(show, (answer) => (
      <Question here={other} linked={info} onAnswer={answer} />
    ))
    if (!agreed) return void endSession(info)
  }
  loginReason.set(null)
  // Closing first makes all modules forget the data of the previous clerk.
  session.close()
  session.open(info)
  if (other !== null) void endSession(other)
}

/** @returns whether the link cannot be used any more; then the login form is shown */
function handleRefusal({ code, message }: Refusal): boolean {
  // A token with an invalid format counts as an invalid link.
  const isSpent = code === failures.linkInvalid.code || code === failures.invalid.code
  if (!isSpent && code !== failures.storeInactive.code) return false
  // A clerk who is already logged in stays so, and only gets a message.
  if (session.token() !== null) showToast({ tone: 'error', text: message })
  else loginReason.set(isSpent ? 'linkInvalid' : 'storeInactive')
  return true
}

function ask<T>(
  show: (page: ReactNode) => void,
  page: (answer: (value: T) => void) => ReactNode,
): Promise<T> {
  return new Promise((resolve) => {
    show(page(resolve))
  })
}

function Frame({ children }: { children: ReactNode }) {
  return (
    <PageFrame width="form">
      <div className="grid gap-6">
        <Logo />
        {children}
      </div>
    </PageFrame>
  )
}

function Waiting() {
  return (
    <Frame>
      <h1 className="text-title-l">
        <Trans id="login.tokenBusy">Logging you in…</Trans>
      </h1>
    </Frame>
  )
}

type QuestionProps = { here: LoginInfo; linked: LoginInfo; onAnswer: (agreed: boolean) => void }

function Question({ here, linked, onAnswer }: QuestionProps) {
  const [current, next] = [fullName(here.staff), fullName(linked.staff)]
  return (
    <Choice
      title={<Trans id="link.title">Log in as {next}?</Trans>}
      text={
        <Trans id="link.text">
          {current} is logged in here. The link is for {next}.
        </Trans>
      }
      change={<Trans id="link.switch">Log in as {next}</Trans>}
      current={current}
      onAnswer={onAnswer}
    />
  )
}

type CompanyQuestionProps = {
  identifier: string
  info: LoginInfo
  name: string
  onAnswer: (agreed: boolean) => void
}

function CompanyQuestion({ identifier, info, name, onAnswer }: CompanyQuestionProps) {
  const current = fullName(info.staff)
  return (
    <Choice
      title={<Trans id="link.companyTitle">Log in to {name}?</Trans>}
      text={
        <Trans id="link.companyText">
          {current} is logged in to {identifier} on this device. The link ends that session.
        </Trans>
      }
      change={<Trans id="link.companySwitch">Log in to {name}</Trans>}
      current={current}
      onAnswer={onAnswer}
    />
  )
}

type ChoiceProps = {
  title: ReactNode
  text: ReactNode
  /** The label of the button that uses the link. */
  change: ReactNode
  /** The clerk who is logged in. */
  current: string
  onAnswer: (agreed: boolean) => void
}

function Choice({ title, text, change, current, onAnswer }: ChoiceProps) {
  return (
    <Frame>
      <div className="grid gap-2">
        <h1 className="text-title-l">{title}</h1>
        <p className="text-body text-ink2">{text}</p>
      </div>
      <Answers
        yes={change}
        no={<Trans id="link.stay">Stay logged in as {current}</Trans>}
        onAnswer={onAnswer}
      />
    </Frame>
  )
}

type AnswersProps = { yes: ReactNode; no: ReactNode; onAnswer: (answer: boolean) => void }

function Answers({ yes, no, onAnswer }: AnswersProps) {
  return (
    <div className="grid gap-2">
      <Button kind="filled" size="large" onClick={() => onAnswer(true)}>
        {yes}
      </Button>
      <Button kind="text" onClick={() => onAnswer(false)}>
        {no}
      </Button>
    </div>
  )
}

function Failed({ error, onAnswer }: { error: unknown; onAnswer: (again: boolean) => void }) {
  return (
    <Frame>
      <Notice tone="danger">
        {reasonOf(error) ?? (
          <Trans id="login.noAnswer">
            The server did not answer. Check the connection and try again.
          </Trans>
        )}
      </Notice>
      <Answers
        yes={<Trans id="common.retry">Try again</Trans>}
        no={<Trans id="link.form">Log in with an account</Trans>}
        onAnswer={onAnswer}
      />
    </Frame>
  )
}
