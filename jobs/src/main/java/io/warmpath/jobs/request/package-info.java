/** What is counted of request events, and how it is read fast. */
package io.warmpath.jobs.request;
