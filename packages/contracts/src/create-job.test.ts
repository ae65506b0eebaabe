import { describe, expect, it } from 'vitest'
import { CreateAgentJobRequest, MAX_PROMPT_LENGTH } from './create-job.ts'

const accepts = (prompt: string) => CreateAgentJobRequest.safeParse({ prompt }).success

describe('the prompt', () => {
  it('has up to a mebibyte of text', () => {
    const text = 'Document the flags. '.repeat(MAX_PROMPT_LENGTH / 16).slice(0, MAX_PROMPT_LENGTH)
    expect(accepts(text)).toBe(true)
    expect(accepts(`${text}.`)).toBe(false)
  })

  it('has no encoded file in it', () => {
    const encoded = 'x'.repeat(100_000)
    expect(accepts(`Document this: ${encoded}`)).toBe(true)
    expect(accepts(`Document this: ${encoded}x`)).toBe(false)
  })

  it('has a character other than white space', () => {
    for (const blank of [' ', '\n\t ', '\u00a0']) expect(accepts(blank)).toBe(false)
    expect(accepts(' .')).toBe(true)
  })

  it('may be in a language without spaces', () => {
    expect(accepts('\u6587'.repeat(200_000))).toBe(true)
  })
})
