// On GitHub Pages the book's address tells whose project it is. What waits for that in templates
// (book/_ext/course_book/project.py) is shown then, as links; nothing is asked of another host.
(function () {
  // "owner/repository" of a book at https://OWNER.github.io/REPOSITORY/, "" for any other address.
  function projectOf(root) {
    var place = new URL(root), owner = /^([a-z\d-]+)\.github\.io$/.exec(place.hostname);
    return owner ? owner[1] + "/" + (place.pathname.split("/").filter(Boolean)[0] || place.hostname) : "";
  }

  var root = document.documentElement.dataset.content_root || "./", project = "";
  // A page that was pasted into another one has no address of its own.
  try { project = projectOf(new URL(root, document.baseURI)); } catch (unknown) { return; }
  if (!project) return;
  document.querySelectorAll("template.course-project").forEach(function (template) {
    template.content.querySelectorAll("a").forEach(function (link) {
      link.href = link.getAttribute("href").replace("PROJECT", project);
      link.textContent = link.textContent.replace("PROJECT", project);
    });
    template.replaceWith(template.content);
  });
})();
