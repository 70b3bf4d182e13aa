import { type Data, endpoint } from '@tillside/contract/wire/endpoint'
import { type operationStatus, OperationKey } from '@tillside/contract/wire/operation'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import * as z from 'zod/mini'
import { type ActionOptions, createAction, newKey, nextState } from './action.ts'
import { HttpFailure, Refusal } from '../call/failure.ts'
import { type TextStorage, tabStorage } from '../store/storage.ts'

const spend = endpoint({
  method: 'POST',
  path: '/test/spend',
  access: 'staff',
  needsKey: true,
  input: z.strictObject({ code: z.string() }),
  data: z.object({ left: z.int() }),
  refusals: [],
})
type Spend = ActionOptions<typeof spend>
type Found = Data<typeof operationStatus>

let stored: Map<string, string>
let store: TextStorage
beforeEach(() => {
  stored = new Map()
  store = {
    getItem: (name) => stored.get(name) ?? null,
    setItem: (name, value) => void stored.set(name, value),
    removeItem: (name) => void stored.delete(name),
    names: () => [...stored.keys()],
  }
})

function machine(over: Partial<Spend> = {}) {
  const send = vi.fn<Spend['send']>(async () => ({ left: 3 }))
  const check = vi.fn<Spend['check']>(async () => ({ state: 'unknown', answer: null }))
  const options = { endpoint: spend, input: { code: 'A' }, keyName: 'A', store }
  const action = createAction({ ...options, send, check, ...over })
  return { action, send, check }
}

const fails = async (): Promise<never> => {
  throw new Error('no answer')
}

test('sends once, however often it is pressed, and removes the key when answered', async () => {
  const { action, send } = machine()
  await action.send()
  expect(send).not.toHaveBeenCalled()
  action.open()
  const both = Promise.all([action.send(), action.send()])
  expect(action.state()).toEqual({ step: 'sending' })
  expect(stored.size).toBe(1)
  action.close()
  expect(action.state()).toEqual({ step: 'sending' })
  await both
  expect(send).toHaveBeenCalledTimes(1)
  expect(action.state()).toEqual({ step: 'done', data: { left: 3 } })
  expect(stored.size).toBe(0)
})

test('a business refusal can only be closed', async () => {
  const send = vi.fn<Spend['send']>(async () => {
    throw new Refusal(113002, 'already used', null)
  })
  const { action } = machine({ send })
  action.open()
  await action.send()
  expect(action.state()).toEqual({ step: 'refused', message: 'already used', again: false })
  await action.send()
  expect(send).toHaveBeenCalledTimes(1)
  expect(stored.size).toBe(0)
})

test('a request rejected before processing may be sent again, with a new key', async () => {
  const send = vi.fn<Spend['send']>(async () => {
    throw new HttpFailure(429, 'Too Many Requests', 5)
  })
  const { action } = machine({ send })
  action.open()
  await action.send()
  await action.send()
  const keys = send.mock.calls.map(([, key]) => key)
  expect(new Set(keys).size).toBe(2)
})

test('after a server error the result is unknown, and its reason is known', async () => {
  const { action } = machine({
    send: async () => {
      throw new HttpFailure(502, 'Bad Gateway', null)
    },
  })
  action.open()
  await action.send()
  const reason = '502:Bad Gateway'
  expect(action.state()).toEqual({ step: 'unknown', checking: false, running: false, reason })
  expect(stored.size).toBe(1)
})

test('an "unchanged" answer is not unknown, and keeps the key', async () => {
  const send = vi.fn<Spend['send']>(async () => {
    throw new HttpFailure(503, 'Service Unavailable', 1, true)
  })
  const { action } = machine({ send })
  action.open()
  await action.send()
  expect(action.state()).toEqual({ step: 'checked' })
  await action.send()
  const keys = send.mock.calls.map(([, key]) => key)
  expect([keys.length, new Set(keys).size]).toEqual([2, 1])
})

describe('a lost answer', () => {
  async function lose(found: Found | Error) {
    const check = vi.fn<Spend['check']>(async () => {
      if (found instanceof Error) throw found
      return found
    })
    const send = vi.fn<Spend['send']>(fails)
    const { action } = machine({ send, check })
    action.open()
    await action.send()
    expect(action.state()).toEqual({ step: 'unknown', checking: false, running: false })
    await action.send()
    expect(send).toHaveBeenCalledTimes(1)
    await action.check()
    return { action, send, check }
  }

  test('is found if the server has stored it', async () => {
    const answer = { code: 0, message: 'ok', data: { left: 2 } }
    const { action, send, check } = await lose({ state: 'done', answer })
    expect(action.state()).toEqual({ step: 'done', data: { left: 2 } })
    expect(check.mock.calls[0]?.[0]).toBe(send.mock.calls[0]?.[1])
    expect(stored.size).toBe(0)
  })

  test('is found as the stored refusal', async () => {
    const { action } = await lose({
      state: 'done',
      answer: { code: 113002, message: 'used', data: null },
    })
    expect(action.state()).toEqual({ step: 'refused', message: 'used', again: false })
  })

  const nonsense = { code: 0, message: 'ok', data: { left: 'two' } }
  test.each<[string, boolean, Found | Error]>([
    ['while the server works', true, { state: 'running', answer: null }],
    ['when it cannot be asked', false, new Error('offline')],
    ['when it answers nonsense', false, { state: 'done', answer: nonsense }],
  ])('stays unknown %s', async (_, running, found) => {
    const { action } = await lose(found)
    expect(action.state()).toEqual({ step: 'unknown', checking: false, running })
    expect(stored.size).toBe(1)
  })

  test('may be sent again with the same key if the server does not know it', async () => {
    const { action, send } = await lose({ state: 'unknown', answer: null })
    expect(action.state()).toEqual({ step: 'checked' })
    await action.send()
    const [first, second] = send.mock.calls
    expect(second?.[1]).toBe(first?.[1])
  })

  test('may be given up without a trace if the server does not know it', async () => {
    const { action } = await lose({ state: 'unknown', answer: null })
    action.drop()
    expect(action.state()).toEqual({ step: 'idle' })
    expect(stored.size).toBe(0)
  })

  test('may not be given up while its result is unknown', async () => {
    const { action } = await lose(new Error('offline'))
    action.drop()
    expect(action.state().step).toBe('unknown')
    expect(stored.size).toBe(1)
  })

  test('is restored after a reload, only under its own key name', async () => {
    await lose(new Error('offline'))
    const other = machine({ keyName: 'B' })
    other.action.open()
    expect(other.action.state()).toEqual({ step: 'confirm' })
    const { action, send, check } = machine()
    action.open()
    expect(action.state()).toEqual({ step: 'unknown', checking: false, running: false })
    await action.check()
    await action.send()
    expect(send.mock.calls[0]?.[1]).toBe(check.mock.calls[0]?.[0])
  })
})

test('sends and checks in a browser without storage', async () => {
  const { action, check } = machine({
    send: fails,
    // Node has no sessionStorage: accessing it throws, as in a browser that forbids it.
    store: tabStorage,
  })
  action.open()
  await action.send()
  await action.check()
  expect(check).toHaveBeenCalledTimes(1)
  expect(action.state()).toEqual({ step: 'checked' })
})

test('a stored value that is not a key is ignored', () => {
  stored.set('tillside:unanswered:A', 'not a key')
  const { action } = machine()
  action.open()
  expect(action.state()).toEqual({ step: 'confirm' })
})

test('listeners receive every change until they unsubscribe', () => {
  const { action } = machine()
  const heard = vi.fn()
  const leave = action.subscribe(heard)
  action.open()
  leave()
  action.close()
  expect(heard).toHaveBeenCalledTimes(1)
})

test('an unexpected answer changes nothing', () => {
  const idle = { step: 'idle' } as const
  expect(nextState(idle, { type: 'answered', data: 1 })).toBe(idle)
  expect(nextState(idle, { type: 'lost' })).toBe(idle)
  expect(nextState(idle, { type: 'intact' })).toBe(idle)
})

test('each key is a new UUID', () => {
  const keys = Array.from({ length: 200 }, newKey)
  for (const key of keys) expect(z.safeParse(OperationKey, key).success).toBe(true)
  expect(new Set(keys).size).toBe(200)
})
