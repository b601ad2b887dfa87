// Shows only the games of players whose names contain what is typed.
document.getElementById("search").addEventListener("input", (event) => {
  const wanted = event.target.value.trim().toLowerCase();
  for (const row of document.querySelectorAll("#games tbody tr")) {
    row.hidden = !row.lastElementChild.textContent.toLowerCase().includes(wanted);
  }
});
