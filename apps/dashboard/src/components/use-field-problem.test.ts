import { expect, test } from 'vitest'
import { type CheckedControl, toFieldProblem } from './use-field-problem.ts'

const describe = (broken: Partial<ValidityState>, control: Partial<CheckedControl> = {}) =>
  toFieldProblem({
    type: 'text',
    min: '',
    max: '',
    step: '',
    minLength: -1,
    maxLength: -1,
    validationMessage: 'From the browser',
    ...control,
    validity: { valid: false, ...broken } as ValidityState,
  })

test('describes what the browser rejects', () => {
  expect(describe({ valid: true })).toBe(null)
  expect(describe({ valueMissing: true })).toBe('Enter a value.')
  expect(describe({ typeMismatch: true }, { type: 'url' })).toBe('Enter a full URL, such as https://example.com.')
  expect(describe({ typeMismatch: true }, { type: 'email' })).toContain('ada@example.com')
  expect(describe({ rangeOverflow: true }, { type: 'number', min: '1', max: '1000' })).toBe(
    'Enter a number from 1 to 1,000.',
  )
  expect(describe({ rangeUnderflow: true }, { type: 'number', min: '0.01' })).toBe('Enter at least 0.01.')
  expect(describe({ stepMismatch: true }, { type: 'number', step: '1' })).toBe('Enter a whole number.')
  expect(describe({ stepMismatch: true }, { type: 'number', step: '0.01' })).toBe('Enter a multiple of 0.01.')
  expect(describe({ badInput: true }, { type: 'number' })).toBe('Enter a number.')
  expect(describe({ tooShort: true }, { minLength: 12 })).toBe('Enter at least 12 characters.')
  expect(describe({ customError: true })).toBe('From the browser')
})
