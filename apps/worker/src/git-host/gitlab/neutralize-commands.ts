/**
 * Makes GitLab show a line that starts with `/` instead of executing it as the author, such as
 * `/merge` (https://docs.gitlab.com/user/project/quick_actions/). Markdown shows an escaped slash as
 * a slash. Lines of code are escaped, too, because GitLab and Markdown differ in where code ends.
 */
export function neutralizeCommands(text: string): string {
  return text.replace(/^[^\S\r\n]*\//gm, (start) => `${start.slice(0, -1)}\\/`)
}
