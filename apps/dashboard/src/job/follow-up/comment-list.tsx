import { Button } from '../../components/button.tsx'
import { Disclosure } from '../../components/disclosure.tsx'
import { describeRange, type FileRange } from '../changes/line-range.ts'
import type { LineComment } from '../memory/job-memory.ts'

interface CommentListProps {
  readonly comments: readonly LineComment[]
  readonly onShow: (range: FileRange) => void
  readonly onRemove: (id: string) => void
}

/** The comments that the next follow-up contains. Each one links to its lines. */
export function CommentList({ comments, onShow, onRemove }: CommentListProps) {
  const written = comments.filter(({ text }) => text.trim() !== '')
  if (written.length === 0) return null
  const title = written.length === 1 ? '1 comment' : `${written.length} comments`
  return (
    <Disclosure title={title} detail="Sent with the follow-up">
      <ul className="comment-list">
        {written.map((comment) => {
          const place = `${comment.path}, ${describeRange(comment)}`
          return (
            <li key={comment.id}>
              <button type="button" className="comment-list-place" onClick={() => onShow(comment)}>
                {place}
              </button>
              <span className="grow truncate" dir="auto">
                {comment.text}
              </span>
              <Button variant="quiet" icon="close" iconOnly onClick={() => onRemove(comment.id)}>
                Delete the comment on {place}
              </Button>
            </li>
          )
        })}
      </ul>
    </Disclosure>
  )
}
