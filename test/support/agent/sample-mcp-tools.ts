import type { Tool } from '../../../src/core/words/tool';

/** The tools of each server, one per line: name, arguments (optional ones with a ?), and description. */
const SERVERS: Readonly<Record<string, string>> = {
  github: `
create_pull_request(owner, repo, title, head, base, body?, draft?): Create a new pull request in a GitHub repository. The head branch has to exist already. Returns the number and the address of the pull request.
merge_pull_request(owner, repo, pullNumber, commit_title?, merge_method?): Merge a pull request in a GitHub repository.
list_pull_requests(owner, repo, state?, head?, base?, page?): List pull requests in a GitHub repository. If the user specifies an author, use the search tool instead.
get_pull_request(owner, repo, pullNumber): Get details of a specific pull request in a GitHub repository.
get_pull_request_files(owner, repo, pullNumber, page?): Get the files changed in a specific pull request, with their patches.
get_pull_request_diff(owner, repo, pullNumber): Get the diff of a pull request.
create_pending_review(owner, repo, pullNumber, commitID?): Create a pending review for a pull request. Call this first before attempting to add comments to a pending review, and ultimately submitting it.
add_review_comment(owner, repo, pullNumber, path, body, line?, side?): Add a comment to the requester's latest pending pull request review. A pending review needs to exist already.
create_issue(owner, repo, title, body?, labels?, assignees?): Create a new issue in a GitHub repository.
update_issue(owner, repo, issue_number, title?, body?, state?, labels?): Update an existing issue in a GitHub repository.
list_issues(owner, repo, state?, labels?, since?, page?): List issues in a GitHub repository with filtering options. The results come in pages.
add_issue_comment(owner, repo, issue_number, body): Add a comment to a specific issue in a GitHub repository.
search_issues(query, sort?, order?, page?): Search for issues in GitHub repositories using the issues search syntax, already scoped to is:issue.
search_code(query, sort?, order?, page?): Fast and precise code search across all GitHub repositories using the native search engine. Best for finding exact symbols, functions, classes, or specific code patterns.
search_repositories(query, sort?, page?): Find repositories by name, description, readme, topics, or other metadata. Perfect for discovering projects or locating specific repositories.
get_file_contents(owner, repo, path?, ref?): Get the contents of a file or directory from a GitHub repository.
create_or_update_file(owner, repo, path, content, message, branch, sha?): Create or update a single file in a GitHub repository. If updating, you must provide the SHA of the file you want to update.
create_branch(owner, repo, branch, from_branch?): Create a new branch in a GitHub repository.
list_commits(owner, repo, sha?, author?, page?): Get the list of commits of a branch in a GitHub repository. Returns at least 30 results per page by default.
list_workflow_runs(owner, repo, workflow_id, branch?, status?): List workflow runs for a specific workflow. Use the status to see only those that have failed.`,
  browser: `
navigate(url): Navigate to a URL.
navigate_back(): Go back to the previous page in the history.
snapshot(): Capture accessibility snapshot of the current page, this is better than screenshot.
take_screenshot(type?, filename?, element?, ref?, fullPage?): Take a screenshot of the current page. You can't perform actions based on the screenshot, use the snapshot for actions.
click(element, ref, doubleClick?, button?, modifiers?): Perform click on a web page.
hover(element, ref): Hover over element on page.
drag(startElement, startRef, endElement, endRef): Perform drag and drop between two elements.
type(element, ref, text, submit?, slowly?): Type text into editable element. Set submit to press Enter afterwards.
press_key(key): Press a key on the keyboard, such as ArrowLeft or a.
select_option(element, ref, values): Select an option in a dropdown.
fill_form(fields): Fill multiple form fields at once.
file_upload(paths?): Upload one or multiple files. Without paths the file chooser is cancelled.
handle_dialog(accept, promptText?): Handle a dialog.
evaluate(function, element?, ref?): Evaluate JavaScript expression on page or element. The function gets the element where one is given.
console_messages(onlyErrors?): Returns all console messages.
network_requests(includeStatic?): Returns all network requests since loading the page.
resize(width, height): Resize the browser window.
tabs(action, index?): List, create, close, or select a browser tab.
wait_for(time?, text?, textGone?): Wait for text to appear or disappear or a specified time to pass.
close(): Close the page. All that was not saved in it is lost.`,
  tracker: `
search_issues(jql, fields?, limit?, start_at?): Search issues using JQL. Returns the matching issues with the fields that were asked for.
get_issue(issue_key, fields?, expand?): Get details of a specific issue including its links and relationship information.
create_issue(project_key, summary, issue_type, description?, assignee?, components?): Create a new issue with optional link to an epic or parent for subtasks. The description is written in Markdown.
update_issue(issue_key, fields, additional_fields?): Update an existing issue including changing status, adding links, and updating fields.
delete_issue(issue_key): Delete an existing issue. This cannot be undone.
add_comment(issue_key, comment): Add a comment to an issue.
add_worklog(issue_key, time_spent, comment?, started?): Add a worklog entry to an issue. The time is written like 3h 30m.
get_transitions(issue_key): Get available status transitions for an issue.
transition_issue(issue_key, transition_id, fields?, comment?): Transition an issue to a new status. Ask for the available transitions first.
link_to_epic(issue_key, epic_key): Link an existing issue to an epic.
create_link(link_type, inward_issue_key, outward_issue_key): Create a link between two issues.
get_project_issues(project_key, limit?, start_at?): Get all issues for a specific project.
get_agile_boards(board_name?, project_key?, board_type?): Get agile boards by name, project key, or type.
get_board_issues(board_id, jql, limit?): Get all issues linked to a specific board filtered by JQL.
get_sprints(board_id, state?): Get the sprints of a board by state. A board of the type kanban has none.
get_sprint_issues(sprint_id, limit?): Get the issues of a sprint.
create_sprint(board_id, sprint_name, start_date, end_date, goal?): Create a sprint for a board.
search_pages(query, limit?, spaces?): Search pages of the wiki with a simple term or a CQL query.
get_page(page_id, include_metadata?): Get the content of a wiki page by its id. The content comes as Markdown.
create_page(space_key, title, content, parent_id?): Create a new wiki page in a space.`,
};

/** The sixty tools of three widely used servers. */
export function sampleMcpTools(): readonly Tool[] {
  return Object.entries(SERVERS).flatMap(([server, lines]) =>
    lines
      .trim()
      .split('\n')
      .map((line) => toolOf(server, line)),
  );
}

function toolOf(server: string, line: string): Tool {
  const [, method = '', list = '', description = ''] = /^(\w+)\((.*?)\): (.*)$/.exec(line) ?? [];
  const names = list.split(', ').filter(Boolean);
  return {
    spec: {
      name: `mcp_${server}_${method}`,
      description,
      parameters: {
        type: 'object',
        properties: Object.fromEntries(names.map((name) => [name.replace('?', ''), parameter(name)])),
        required: names.filter((name) => !name.endsWith('?')),
      },
    },
    toolset: `mcp_${server}`,
    method,
    effect: 'network',
    agentCallable: true,
    origin: { type: 'mcp', server },
    prepare: () => Promise.reject(new Error('It is only described.')),
  };
}

function parameter(name: string): object {
  return { type: 'string', description: `The ${name.replace('?', '').replaceAll('_', ' ')} to use` };
}
