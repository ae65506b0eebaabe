import { expect, test, vi } from 'vitest'
import { openTurns, type TurnLimits } from './open-turns.ts'

/** Starts work by name and records the order in which it runs. */
function open(limits: Omit<TurnLimits, 'refuse'>) {
  const turns = openTurns({ ...limits, refuse: () => new Error('too much waits') })
  const order: string[] = []
  const ends = new Map<string, () => void>()
  const start = (owner: string, name: string) =>
    turns.run(owner, () => {
      order.push(name)
      return new Promise<void>((resolve) => ends.set(name, resolve))
    })
  const end = async (name: string) => {
    ends.get(name)?.()
    await new Promise(setImmediate)
  }
  return { turns, order, start, end }
}

test('runs a limited number of turns in total and per owner, and serves owners in rotation', async () => {
  const { order, start, end } = open({ total: 3, perOwner: 2, waitingPerOwner: 10 })
  for (const name of ['a1', 'a2', 'a3', 'a4', 'a5']) void start('a', name)
  for (const name of ['b1', 'b2', 'c1']) void start(name.slice(0, 1), name)
  await new Promise(setImmediate)
  expect(order).toEqual(['a1', 'a2', 'b1'])
  await end('a1')
  expect(order.slice(3)).toEqual(['a3'])
  await end('a2')
  expect(order.slice(4)).toEqual(['b2'])
  await end('a3')
  expect(order.slice(5)).toEqual(['c1'])
  await end('b1')
  expect(order.slice(6)).toEqual(['a4'])
})

test('an owner has more turns while no other one has turns or waits', async () => {
  const { order, start, end } = open({ perOwner: 1, alone: 2, waitingPerOwner: 10 })
  for (const name of ['a1', 'a2', 'a3']) void start('a', name)
  await new Promise(setImmediate)
  expect(order).toEqual(['a1', 'a2'])
  void start('b', 'b1')
  void start('b', 'b2')
  await end('a1')
  expect(order).toEqual(['a1', 'a2', 'b1'])
  await end('a2')
  expect(order.slice(3)).toEqual(['a3'])
  await end('a3')
  expect(order.slice(4)).toEqual(['b2'])
})

test('refuses work when too much of its owner is waiting', async () => {
  const { order, start, end } = open({ perOwner: 1, waitingPerOwner: 1 })
  void start('a', 'a1')
  void start('a', 'a2')
  await expect(start('a', 'a3')).rejects.toThrow('too much waits')
  void start('b', 'b1')
  await end('a1')
  expect(order).toEqual(['a1', 'b1', 'a2'])
})

test('work that fails ends its turn, and ending a turn again has no effect', async () => {
  const { turns, order, start, end } = open({ perOwner: 1, waitingPerOwner: 5 })
  await expect(turns.run('a', () => Promise.reject(new Error('failed')))).rejects.toThrow('failed')
  const endTurn = await turns.take('a')
  void start('a', 'a1')
  void start('a', 'a2')
  endTurn()
  endTurn()
  await new Promise(setImmediate)
  expect(order).toEqual(['a1'])
  await end('a1')
  expect(order).toEqual(['a1', 'a2'])
})

test('an owner with waiting work pauses after each turn while it is dominant', async () => {
  vi.useFakeTimers()
  try {
    const turns = openTurns({
      ...{ perOwner: 1, waitingPerOwner: 10, refuse: () => new Error('too much waits') },
      shares: { count: () => {}, isDominant: (owner) => owner === 'a' },
    })
    const order: string[] = []
    const start = async (owner: string, ms: number) => {
      const end = await turns.take(owner)
      order.push(owner)
      setTimeout(end, ms)
    }
    for (let n = 0; n < 3; n += 1) void start('a', 20)
    await vi.advanceTimersByTimeAsync(20)
    for (let n = 0; n < 3; n += 1) void start('b', 10)
    await vi.advanceTimersByTimeAsync(55)
    expect(order).toEqual(['a', 'b', 'b', 'b'])
    await vi.advanceTimersByTimeAsync(5)
    expect(order).toEqual(['a', 'b', 'b', 'b', 'a'])
    await vi.advanceTimersByTimeAsync(80)
    expect(order).toHaveLength(6)
    // Without waiting work, the next turn starts at once.
    await vi.advanceTimersByTimeAsync(20)
    void start('a', 5_000)
    void start('a', 0)
    await vi.advanceTimersByTimeAsync(0)
    expect(order).toHaveLength(7)
    await vi.advanceTimersByTimeAsync(5_250)
    expect(order).toHaveLength(8)
  } finally {
    vi.useRealTimers()
  }
})

test('the pause of a dominant owner grows with the number of requests that shared the turn', async () => {
  vi.useFakeTimers()
  try {
    const turns = openTurns({
      ...{ perOwner: 1, waitingPerOwner: 10, refuse: () => new Error('too much waits') },
      shares: { count: () => {}, isDominant: () => true },
    })
    const end = await turns.take('a')
    let hasTurn = false
    void turns.take('a').then(() => {
      hasTurn = true
    })
    await vi.advanceTimersByTimeAsync(10)
    end(4)
    await vi.advanceTimersByTimeAsync(119)
    expect(hasTurn).toBe(false)
    await vi.advanceTimersByTimeAsync(2)
    expect(hasTurn).toBe(true)
  } finally {
    vi.useRealTimers()
  }
})

test('a request that is aborted while it waits takes no turn', async () => {
  const { turns, order, start, end } = open({ perOwner: 1, waitingPerOwner: 5 })
  void start('a', 'a1')
  const gone = new AbortController()
  const waiting = turns.take('a', gone.signal)
  void start('a', 'a2')
  gone.abort(new Error('disconnected'))
  await expect(waiting).rejects.toThrow('disconnected')
  await expect(turns.take('b', gone.signal)).rejects.toThrow('disconnected')
  await end('a1')
  expect(order).toEqual(['a1', 'a2'])
})

test('a request that waits for too long is refused and takes no turn', async () => {
  const refuse = () => new Error('waited too long')
  const turns = openTurns({ perOwner: 1, waitingPerOwner: 5, waitMs: 20, refuse })
  const end = await turns.take('a')
  await expect(turns.take('a', new AbortController().signal)).rejects.toThrow('waited too long')
  end()
  const endNext = await turns.take('a')
  await expect(turns.take('a')).rejects.toThrow('waited too long')
  endNext()
})
