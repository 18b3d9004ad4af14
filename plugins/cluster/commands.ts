/** What the program needs of the cluster: workers of one machine ask each other as members do. */

export { HttpMemberRequests } from './member-requests.ts';
