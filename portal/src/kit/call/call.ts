import {
  Envelope,
  idempotencyHeader,
  type Data,
  type Endpoint,
  type Input,
} from '@tillside/contract/wire/endpoint'
import { failures, HttpFailureData, httpFailures } from '@tillside/contract/wire/failures'
import { showToast } from '../../ui/layer/toastStore.ts'
import * as z from 'zod/mini'
import { takeAhead } from './ahead.ts'
import { askedName } from './asked.ts'
import { askPassword } from './challenge.ts'
import { HttpFailure, isCancelled, NoAnswer, Refusal } from './failure.ts'
import { currentLanguage } from '../text/language.ts'
import { type Request, requestInit, requestOf } from './request.ts'
import { session } from './session.ts'
import { answered, permissionsChanged, sessionLost, valueCallPending } from './portalState.ts'

/** Specification, section 7. */
const timeoutMs = 120_000
const noPermissionMessage = 'NO_PERMISSION'
const Unavailable = z.object({ data: HttpFailureData })

type CallOptions = {
  /** The Idempotency-Key of a value-moving call; created before sending and kept until answered. */
  key?: string
  signal?: AbortSignal
  /** The caller shows refusals itself, so that none is shown twice. */
  quiet?: boolean
  /** The token of a session other than the current one. */
  token?: string
  /** The call continues when the page is left. */
  keepalive?: boolean
  /** Receives the server's message of a successful call. */
  onMessage?: (message: string) => void
}

/** The root of the API's addresses; empty if it is on the page's own origin. */
let apiRoot = ''

/** @param root an origin, optionally with a path, without a slash at the end */
export function setApiRoot(root: string): void {
  apiRoot = root
}

type Flight = {
  controller: AbortController
  movesValue: boolean
  token: string | null
  /** Whether the browser sends and keeps the device cookie. */
  withDevice: boolean
}
const flights = new Set<Flight>()
/** Pending calls that may be cancelled and repeated: all that move no value. */
const inFlight = new Map<string, AbortController>()

/**
 * Calls the server. All requests of the portal use this function.
 * @throws Refusal, HttpFailure, NoAnswer, or an AbortError if the call was cancelled
 */
export async function call<E extends Endpoint>(
  endpoint: E,
  input: Input<E>,
  options: CallOptions = {},
): Promise<Data<E>> {
  const controller = new AbortController()
  const token = options.token ?? session.token()
  const withDevice = endpoint.device === true
  const flight = { controller, movesValue: options.key !== undefined, token, withDevice }
  const request = requestOf(apiRoot, endpoint, input)
  const language = currentLanguage()
  const duplicateKey = flight.movesValue ? null : [askedName(request), token, language].join(' ')
  if (duplicateKey !== null) {
    inFlight.get(duplicateKey)?.abort()
    inFlight.set(duplicateKey, controller)
  }
  flights.add(flight)
  updateValueCallPending()
  const timer = setTimeout(() => {
    controller.abort(new DOMException('no answer in time', 'TimeoutError'))
  }, timeoutMs)
  try {
    const response = await send(request, flight, options)
    const data = await read(endpoint, response, options.onMessage)
    if (!answered.get().includes(endpoint)) answered.set([...answered.get(), endpoint])
    return data
  } catch (cause) {
    const error = asCallError(cause)
    if (error instanceof Refusal && error.refusal === 'lookUpChallenge' && (await askPassword())) {
      return await call(endpoint, input, options)
    }
    reportError(error, flight, options.quiet ?? false)
    throw error
  } finally {
    clearTimeout(timer)
    flights.delete(flight)
    updateValueCallPending()
    if (duplicateKey !== null && inFlight.get(duplicateKey) === controller)
      inFlight.delete(duplicateKey)
  }
}

/** Whether the result of another call that moves value is still unknown. */
function isOtherPending(flight: Flight): boolean {
  return [...flights].some((other) => other !== flight && other.movesValue)
}

function updateValueCallPending(): void {
  valueCallPending.set([...flights].some(({ movesValue }) => movesValue))
}

async function send(
  request: Request,
  { controller, token, withDevice }: Flight,
  { key, signal: given, keepalive = false }: CallOptions,
): Promise<Response> {
  const signals = [controller.signal, ...(given === undefined ? [] : [given])]
  const signal = AbortSignal.any(signals)
  const ahead = key === undefined ? takeAhead(request, token, signal) : null
  const answer = ahead === null ? null : await ahead
  if (answer !== null) return answer
  const init = { ...requestInit(request, currentLanguage(), token), signal, keepalive }
  if (key !== undefined) init.headers[idempotencyHeader] = key
  if (withDevice) init.credentials = 'same-origin'
  return fetch(request.address, init)
}

async function read<E extends Endpoint>(
  endpoint: E,
  response: Response,
  onMessage?: (message: string) => void,
): Promise<Data<E>> {
  if (!response.ok) {
    const wait = Number(response.headers.get('retry-after'))
    const unchanged = response.status === httpFailures.unavailable && (await isUnchanged(response))
    throw new HttpFailure(response.status, response.statusText, wait > 0 ? wait : null, unchanged)
  }
  const envelope = z.parse(Envelope, await response.json())
  if (envelope.code !== 0) throw new Refusal(envelope.code, envelope.message, envelope.data)
  const data = z.parse<E['data']>(endpoint.data, envelope.data)
  onMessage?.(envelope.message)
  return data
}

/** A reverse proxy also answers 503, but does not know whether the call was processed. */
async function isUnchanged(response: Response): Promise<boolean> {
  const body = z.safeParse(Unavailable, await response.json().catch(() => null))
  return body.success && body.data.data.unchanged === true
}

/** An unreadable answer is treated like a missing one: the result is unknown. */
function asCallError(cause: unknown): unknown {
  const isKnown = cause instanceof Refusal || cause instanceof HttpFailure || isCancelled(cause)
  return isKnown ? cause : new NoAnswer(cause)
}

function reportError(error: unknown, flight: Flight, quiet: boolean): void {
  if (error instanceof HttpFailure && error.status === httpFailures.unauthorized) {
    loseSession(flight.token)
  } else if (error instanceof Refusal && isPermissionChange(error)) {
    permissionsChanged.set(permissionsChanged.get() ?? { pending: isOtherPending(flight) })
  } else if (quiet) {
    return
  } else if (error instanceof HttpFailure) {
    showToast({ tone: 'error', text: error.message })
  } else if (error instanceof Refusal && error.code !== failures.memberUnknown.code) {
    showToast({ tone: 'error', text: error.message })
  }
}

function isPermissionChange(refusal: Refusal): boolean {
  return (
    refusal.code === failures.noPermission.code ||
    // Servers that send only this message, with another code, mean the same.
    refusal.message === noPermissionMessage
  )
}

/**
 * Cancels the pending calls, which would be refused too. Calls that move value are left to finish.
 */
function loseSession(token: string | null): void {
  // A late answer for a previous session does not concern the current one.
  if (token !== session.token()) return
  for (const flight of flights) if (!flight.movesValue) flight.controller.abort()
  sessionLost.set(true)
}
