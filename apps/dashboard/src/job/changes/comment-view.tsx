import { type KeyboardEvent, useEffect, useRef } from 'react'
import { Button } from '../../components/button.tsx'
import { CopyButton } from '../../components/copy-button.tsx'
import { TextArea } from '../../components/field.tsx'
import type { LineComment } from '../memory/job-memory.ts'
import type { Lines } from './build-rows.ts'
import { describeRange, type FileRange } from './line-range.ts'

/** A comment that has not been sent, below its lines: the text, or a field while it is written. */
export function CommentView({ comment, actions }: { comment: LineComment; actions: DiffActions }) {
  const { id, path, text, isOpen } = comment
  const place = describeRange(comment)
  const field = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    // A new selection moves an empty comment, which takes the focus again.
    if (isOpen && actions.takesFocus(`${id} ${place}`)) field.current?.focus({ preventScroll: true })
  }, [isOpen, id, place, actions])
  const section = useRef<HTMLElement>(null)
  const edit = useRef<HTMLButtonElement>(null)
  // The control that had the focus is replaced.
  const movesFocus = useRef(false)
  useEffect(() => {
    if (movesFocus.current) (isOpen ? field : edit).current?.focus({ preventScroll: true })
    movesFocus.current = false
  }, [isOpen])
  const setOpen = (next: boolean) => {
    movesFocus.current = true
    actions.putComment({ ...comment, isOpen: next })
  }
  const remove = () => {
    const before = findControlBefore(section.current)
    actions.removeComment(id)
    before?.focus({ preventScroll: true })
  }
  const link = <CopyButton text={actions.toLink(comment)} label={`Copy link to ${place}`} variant="quiet" />
  const finish = () => (text.trim() === '' ? remove() : setOpen(false))
  if (!isOpen) {
    return (
      <section ref={section} className="line-comment stack gap-2 panel" aria-label={`Comment on ${path}, ${place}`}>
        <p className="line-comment-text" dir="auto">
          {text}
        </p>
        <div className="cluster">
          <Button variant="quiet" ref={edit} onClick={() => setOpen(true)}>
            Edit
          </Button>
          <Button variant="quiet" onClick={remove}>
            Delete
          </Button>
          {link}
        </div>
      </section>
    )
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' || (event.key === 'Enter' && (event.ctrlKey || event.metaKey))) {
      event.preventDefault()
      finish()
    }
  }
  return (
    <section ref={section} className="line-comment stack gap-2 panel" aria-label={`Comment on ${path}, ${place}`}>
      <TextArea
        ref={field}
        label={`Comment on ${place}`}
        rows={2}
        value={text}
        placeholder="What should the agent change here?"
        onChange={(event) => actions.putComment({ ...comment, text: event.currentTarget.value })}
        onKeyDown={onKeyDown}
      />
      <div className="cluster">
        <Button variant="primary" disabled={text.trim() === ''} onClick={finish}>
          Add to follow-up
        </Button>
        <Button variant="quiet" onClick={remove}>
          {text.trim() === '' ? 'Close' : 'Discard'}
        </Button>
        {link}
      </div>
    </section>
  )
}

/** Returns the control of the row above: the number of the comment's last line, or another comment. */
function findControlBefore(section: HTMLElement | null): HTMLElement | undefined {
  const row = section?.closest<HTMLElement>('[data-index]')
  const before = row?.parentElement?.querySelector(`[data-index="${Number(row.dataset.index) - 1}"]`)
  return [...(before?.querySelectorAll<HTMLElement>('[data-pick], button') ?? [])].at(-1)
}

/** What the rows of a change can do. The functions never change. */
export interface DiffActions {
  toggle(file: number): void
  setViewed(file: number, isViewed: boolean): void
  /** Shows lines of a file that are not near a change. `whole`: shows the whole file, or again only its changes. */
  show(path: string, lines: Lines | 'whole'): void
  /** Selects lines. With `isExtending`, the selection grows to these lines. */
  pick(range: FileRange, isExtending: boolean): void
  putComment(comment: LineComment): void
  /** Returns true once for a comment that the user has just started: its id and its lines. */
  takesFocus(comment: string): boolean
  removeComment(id: string): void
  /** Address of these lines, or of the file. */
  toLink(place: FileRange | { readonly path: string }): string
}
